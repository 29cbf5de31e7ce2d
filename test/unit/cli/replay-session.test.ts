/** What a replay takes away from its host, so that nothing outside the scratch copy is reached. */
import { expect, it } from "vitest";
import { withoutReach } from "../../../src/cli/replay/replay-session.ts";
import { ToolError } from "../../../src/core/errors.ts";
import type { ProgramRun } from "../../../src/core/ports/programs.ts";
import { memoryHost } from "../../support/memory-host.ts";

it("a replay runs no program, whatever asks for one", async () => {
  const started: string[] = [];
  const { host } = memoryHost({
    async runProgram({ program }) {
      started.push(program);
      return {};
    },
  });
  const run: ProgramRun = {
    program: "/bin/true",
    args: [],
    cwd: "/project",
    timeoutMs: 1_000,
    signal: new AbortController().signal,
    outputLimit: 100,
  };
  await host.programs.run(run);
  await expect(withoutReach(host).programs.run(run)).rejects.toThrow(ToolError);
  expect(started).toEqual(["/bin/true"]);
});
