"""Stands in for Harbor's module of this name."""


class BaseEnvironment:
    pass
