"""The commands: a module for each, which has it as ``command``."""
