"""The rules of Overhill & Underdale, one function per rule, the rule's id in its docstring."""
