"""Stands in for Harbor's module of this name, which no test here can install.

It has what the adapter uses, as Harbor documents it (state of the middle of 2026): descriptors of command-line flags that
keyword arguments fill, commands that fail with an exception, and a setup that calls `install` and asks for the version.
"""

import functools
import os
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import Any


class NonZeroAgentExitCodeError(RuntimeError):
    pass


@dataclass
class CliFlag:
    kwarg: str
    cli: str
    type: str = "str"
    choices: "list[str] | None" = None
    default: Any = None
    env_fallback: "str | None" = None
    format: "str | None" = None


def with_prompt_template(run):
    @functools.wraps(run)
    async def wrapper(self, instruction, *args, **kwargs):
        return await run(self, self.render_instruction(instruction), *args, **kwargs)

    return wrapper


class BaseInstalledAgent(ABC):
    SUPPORTS_ATIF = False
    CLI_FLAGS: "list[CliFlag]" = []

    def __init__(self, logs_dir, prompt_template_path=None, version=None, extra_env=None, *args, model_name=None, **kwargs):
        names = {flag.kwarg for flag in self.CLI_FLAGS}
        self._flags = {name: kwargs.pop(name) for name in list(kwargs) if name in names}
        if kwargs:
            raise TypeError(f"unknown options: {sorted(kwargs)}")
        for flag in self.CLI_FLAGS:
            value = self._flags.get(flag.kwarg)
            if value is not None and flag.type == "int":
                self._flags[flag.kwarg] = int(value)
            if value is not None and flag.type == "enum" and value not in (flag.choices or []):
                raise ValueError(f"{flag.kwarg} must be one of {flag.choices}")
        self.logs_dir = Path(logs_dir)
        self.model_name = model_name
        self._version = version
        self._extra_env = dict(extra_env or {})

    @staticmethod
    @abstractmethod
    def name() -> str: ...

    @abstractmethod
    async def install(self, environment) -> None: ...

    @abstractmethod
    async def run(self, instruction, environment, context) -> None: ...

    def populate_context_post_run(self, context) -> None: ...

    def get_version_command(self):
        return None

    def build_cli_flags(self) -> str:
        given = [(flag, self._flags.get(flag.kwarg)) for flag in self.CLI_FLAGS]
        return " ".join(f"{flag.cli} {value}" for flag, value in given if value is not None)

    def _get_env(self, key):
        return self._extra_env.get(key, os.environ.get(key))

    def render_instruction(self, instruction):
        return instruction

    async def exec_as_root(self, environment, command, env=None, cwd=None, timeout_sec=None):
        return await self._exec(environment, command, "root", env, cwd, timeout_sec)

    async def exec_as_agent(self, environment, command, env=None, cwd=None, timeout_sec=None):
        return await self._exec(environment, command, None, env, cwd, timeout_sec)

    async def _exec(self, environment, command, user, env, cwd, timeout_sec):
        result = await environment.exec(
            command=f"set -o pipefail; {command}", user=user, env=env, cwd=cwd, timeout_sec=timeout_sec
        )
        if result.return_code != 0:
            raise NonZeroAgentExitCodeError(f"exit {result.return_code}: {result.stdout}\n{result.stderr}")
        return result

    async def setup(self, environment) -> None:
        (self.logs_dir / "setup").mkdir(parents=True, exist_ok=True)
        await self.install(environment)
        result = await environment.exec(command=self.get_version_command())
        self._version = self._version or result.stdout.strip()
