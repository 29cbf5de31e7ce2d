"""Nekode as an agent that the Harbor harness installs in a task's container.

    harbor run -d DATASET --agent-import-path nekode_agent:Nekode -m PROVIDER/MODEL

docs/evidence.md describes the setup and the options.
"""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path
from typing import Any

from harbor.agents.installed.base import BaseInstalledAgent, CliFlag, with_prompt_template
from harbor.environments.base import BaseEnvironment
from harbor.models.agent.context import AgentContext

# The variables that the terminal host reads a key or an endpoint from.
VARIABLES = (
    "NEKODE_API_KEY",
    "NEKODE_BASE_URL",
    "NEKODE_CONTEXT_WINDOW",
    "NEKODE_SEARCH_PROVIDER",
    "NEKODE_SEARCH_API_KEY",
    "OPENAI_API_KEY",
    "ANTHROPIC_API_KEY",
    "GEMINI_API_KEY",
    "OPENROUTER_API_KEY",
    "MISTRAL_API_KEY",
    "DEEPSEEK_API_KEY",
    "GROQ_API_KEY",
    "XAI_API_KEY",
)

# The oldest version that Nekode runs on, and the one that is installed where there is none.
OLDEST_NODE = 20
NODE = "22.11.0"

# Exit codes of the terminal host after which the task's own tests decide: done, and stopped by a limit.
FINISHED = (0, 3)


class Nekode(BaseInstalledAgent):
    SUPPORTS_ATIF: bool = True

    CLI_FLAGS = [
        CliFlag("max_requests", cli="--max-requests", type="int"),
        CliFlag("max_cost", cli="--max-cost", type="str"),
        CliFlag("timeout", cli="--timeout", type="int"),
        CliFlag("context_window", cli="--context-window", type="int"),
        CliFlag("protocol", cli="--protocol", type="enum", choices=["auto", "native", "xml"]),
        CliFlag("api", cli="--api", type="enum", choices=["chat", "responses", "anthropic"]),
    ]

    # Folders in the container. Harbor brings the second one back to `logs_dir`.
    INSTALL_DIR = "/opt/nekode"
    AGENT_LOGS = "/logs/agent"

    def __init__(self, *args: Any, package: str | None = None, **kwargs: Any):
        """`package`: what harbor/pack.sh wrote; default: NEKODE_PACKAGE, or nekode.tgz beside this file."""
        super().__init__(*args, **kwargs)
        named = package or os.environ.get("NEKODE_PACKAGE")
        self._package = Path(named) if named else Path(__file__).with_name("nekode.tgz")

    @staticmethod
    def name() -> str:
        return "nekode"

    def get_version_command(self) -> str | None:
        return f"{self._program()} --version"

    async def install(self, environment: BaseEnvironment) -> None:
        if not self._package.is_file():
            raise RuntimeError(f"{self._package} does not exist. Run harbor/pack.sh, or name a package.")
        await self.exec_as_root(environment, command=self._prepare_command())
        await environment.upload_file(self._package, f"{self.INSTALL_DIR}/nekode.tgz")
        await self.exec_as_root(environment, command=self._unpack_command())

    @with_prompt_template
    async def run(self, instruction: str, environment: BaseEnvironment, context: AgentContext) -> None:
        env = self._environment()
        try:
            await self.exec_as_agent(environment, command=self._run_command(instruction), env=env)
        finally:
            # Also after an error: what happened until then is in the session.
            await self.exec_as_agent(environment, command=self._export_command(), env=env)

    def populate_context_post_run(self, context: AgentContext) -> None:
        report = _read_json(self.logs_dir / "report.json")
        if report is not None:
            tokens = report["tokens"]
            context.n_input_tokens = tokens["input"]
            context.n_output_tokens = tokens["output"]
            context.n_cache_tokens = tokens["cached"]
            context.cost_usd = report["cost"]
            kept = ("session", "status", "exit", "requests", "files", "checks", "error")
            context.metadata = {name: report[name] for name in kept if name in report}
            return
        # A run that Harbor ended at its time limit writes no report; its session is on disk nevertheless.
        trajectory = _read_json(self.logs_dir / "trajectory.json")
        if trajectory is None:
            return
        final = trajectory["final_metrics"]
        context.n_input_tokens = final["total_prompt_tokens"]
        context.n_output_tokens = final["total_completion_tokens"]
        context.n_cache_tokens = final["total_cached_tokens"]
        context.cost_usd = final.get("total_cost_usd")
        context.metadata = {"session": trajectory["session_id"], "status": "stopped"}

    def _program(self) -> str:
        return shlex.quote(f"{self.INSTALL_DIR}/bin/nekode")

    def _data_dir(self) -> str:
        return shlex.quote(f"{self.AGENT_LOGS}/nekode")

    def _environment(self) -> dict[str, str]:
        found = {name: self._get_env(name) for name in VARIABLES}
        return {name: value for name, value in found.items() if value}

    def _model(self) -> str:
        """Harbor's `provider/model` is a connection of Nekode, unless an endpoint of one's own is named."""
        if not self.model_name:
            raise ValueError("Nekode requires a model: -m PROVIDER/MODEL")
        if self._get_env("NEKODE_BASE_URL") and "/" in self.model_name:
            return self.model_name.split("/", 1)[1]
        return self.model_name

    def _prepare_command(self) -> str:
        """Git and a Node that is new enough. Nothing is downloaded where both are present."""
        folder = shlex.quote(self.INSTALL_DIR)
        new_enough = f"node -e 'process.exit(parseInt(process.versions.node) < {OLDEST_NODE} ? 1 : 0)' 2>/dev/null"
        address = f"https://nodejs.org/dist/v{NODE}/node-v{NODE}-linux-$arch.tar.gz"
        return "\n".join(
            [
                "set -e",
                f"mkdir -p {folder}/bin",
                "if ! command -v git >/dev/null || ! command -v curl >/dev/null; then",
                "  if command -v apt-get >/dev/null; then apt-get update && "
                "DEBIAN_FRONTEND=noninteractive apt-get install -y git curl ca-certificates",
                "  elif command -v apk >/dev/null; then apk add --no-cache git curl bash",
                "  elif command -v dnf >/dev/null; then dnf install -y git curl",
                "  elif command -v yum >/dev/null; then yum install -y git curl; fi",
                "fi",
                f"if ! {new_enough}; then",
                # Node's own builds need glibc.
                "  if command -v apk >/dev/null; then apk add --no-cache nodejs",
                "  else",
                '    case "$(uname -m)" in aarch64|arm64) arch=arm64 ;; *) arch=x64 ;; esac',
                f'    curl -fsSL "{address}" | tar -xz -C {folder} --strip-components=1 "node-v{NODE}-linux-$arch/bin/node"',
                "  fi",
                "fi",
            ]
        )

    def _unpack_command(self) -> str:
        folder = shlex.quote(self.INSTALL_DIR)
        return "\n".join(
            [
                "set -e",
                f"tar -xzf {folder}/nekode.tgz -C {folder}",
                f"rm {folder}/nekode.tgz",
                f"printf '#!/bin/sh\\nPATH=\"%s:$PATH\" exec node \"%s\" \"$@\"\\n' {folder}/bin {folder}/dist/cli.js > {self._program()}",
                f"chmod 755 {self._program()}",
                f"{self._program()} --version",
            ]
        )

    def _run_command(self, instruction: str) -> str:
        """The task arrives on standard input, so that no word of it can be an option."""
        flags = self.build_cli_flags()
        logs = shlex.quote(self.AGENT_LOGS)
        finished = " || ".join(f'[ "$code" -eq {code} ]' for code in FINISHED)
        return "\n".join(
            [
                f"mkdir -p {logs}",
                f"printf %s {shlex.quote(instruction)} | {self._program()} --json --permission all"
                f" --model {shlex.quote(self._model())} --data-dir {self._data_dir()}"
                f" --report {logs}/report.json{' ' + flags if flags else ''} -"
                f" > {logs}/nekode.jsonl 2> {logs}/nekode.err",
                "code=$?",
                # What Harbor tells an error of the provider from.
                f"cat {logs}/nekode.err >&2",
                f'{{ {finished}; }} || exit "$code"',
            ]
        )

    def _export_command(self) -> str:
        """Nothing to export is no error: the run failed before its first message."""
        program, data = self._program(), self._data_dir()
        return "\n".join(
            [
                f"session=$({program} --list --json --data-dir {data} | head -n 1"
                """ | sed -n 's/^{"id":"\\([^"]*\\)".*/\\1/p')""",
                'if [ -n "$session" ]; then',
                f'  {program} --export "$session" --format atif --export-dir {shlex.quote(self.AGENT_LOGS)} --data-dir {data}',
                "fi",
            ]
        )


def _read_json(file: Path) -> Any:
    """None: there is no such file, or it is incomplete."""
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, json.JSONDecodeError):
        return None
