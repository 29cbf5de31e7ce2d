"""Runs the Harbor adapter as Harbor would, with a folder of this machine for the container.

Arguments: the scratch folder, the package, the task folder, the model, the instruction. Prints the context as JSON.
"""

import asyncio
import dataclasses
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent / "stand-in"), str(Path(__file__).parents[3] / "harbor")]

from harbor.models.agent.context import AgentContext
from nekode_agent import Nekode

scratch, package, task, model, instruction = sys.argv[1:]


@dataclasses.dataclass
class Result:
    stdout: str
    stderr: str
    return_code: int


class Here:
    async def exec(self, command, user=None, env=None, cwd=None, timeout_sec=None):
        plain = {"PATH": os.environ["PATH"], "HOME": scratch, "SHELL": "/bin/bash"}
        done = subprocess.run(
            ["bash", "-c", command], cwd=cwd or task, env={**plain, **(env or {})}, capture_output=True, text=True
        )
        return Result(done.stdout, done.stderr, done.returncode)

    async def upload_file(self, source, target):
        shutil.copy(source, target)


class Local(Nekode):
    INSTALL_DIR = f"{scratch}/opt nekode"
    AGENT_LOGS = f"{scratch}/logs/agent"


async def main():
    agent = Local(Path(f"{scratch}/logs/agent"), model_name=model, package=package, max_requests="5")
    context = AgentContext()
    here = Here()
    await agent.setup(here)
    error = None
    try:
        await agent.run(instruction, here, context)
    except RuntimeError as problem:
        error = str(problem)
    agent.populate_context_post_run(context)
    print(json.dumps({**dataclasses.asdict(context), "version": agent._version, "error": error}))


asyncio.run(main())
