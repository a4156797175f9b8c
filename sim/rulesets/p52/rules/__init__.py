"""The rules of P52, one function per rule."""
