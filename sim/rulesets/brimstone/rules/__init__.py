"""The rules of Brimstone, one function per rule."""
