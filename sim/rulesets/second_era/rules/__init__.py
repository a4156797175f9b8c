"""The rules of Second Era, one function per rule."""
