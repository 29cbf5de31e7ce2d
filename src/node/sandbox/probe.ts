/** Which engine this machine has, tried once by running a command in it. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { messageOf } from "../../shared/message-of.ts";
import type { NoSandboxReason, SandboxState } from "../../shared/sandbox-state.ts";
import { findProgram, systemProgram } from "../find-programs.ts";
import { bubblewrapArguments, bubblewrapVersion } from "./bubblewrap.ts";

/** Milliseconds after which an engine counts as one that does not answer. */
const PATIENCE = 10_000;

export interface Engine {
  state: SandboxState;
  /** Path of the engine's program; "": there is none. */
  program: string;
}

const none = (why: NoSandboxReason, detail: string): Engine => ({
  state: { engine: undefined, why, detail },
  program: "",
});

/** Never rejects. No program is taken from `roots`. */
export async function findEngine(environment: NodeJS.ProcessEnv, roots: readonly string[]): Promise<Engine> {
  switch (process.platform) {
    case "linux": {
      const program = systemProgram("bwrap", environment) ?? findProgram("bwrap", environment, roots);
      return program === undefined ? none("missing", "bubblewrap") : tryBubblewrap(program);
    }
    default:
      return none("system", process.platform);
  }
}

/** `patience`: in milliseconds. */
export async function tryBubblewrap(program: string, patience = PATIENCE): Promise<Engine> {
  const temporary = await mkdtemp(path.join(tmpdir(), "nekode-probe-"));
  try {
    const version = bubblewrapVersion((await run(program, ["--version"], patience)).output);
    const rules = { hidden: [], folders: [], fixed: [], programs: [], temporary };
    const args = bubblewrapArguments({ profile: "read", ...rules }, { file: "", folder: "" });
    const tried = await run(program, [...args, "--", "/bin/sh", "-c", "echo works"], patience);
    if (tried.output.trim() === "works") return { state: { engine: "bubblewrap", version }, program };
    const said = tried.output.trim().split("\n").at(-1) ?? "";
    return none(tried.isLate ? "silent" : "refused", `bubblewrap ${version}: ${said}`);
  } catch (error) {
    return none("refused", messageOf(error));
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

function run(
  program: string,
  args: readonly string[],
  timeout: number,
): Promise<{ output: string; isLate: boolean }> {
  return new Promise((resolve) => {
    const options = { timeout, killSignal: "SIGKILL" as const };
    execFile(program, args, options, (error, stdout, stderr) =>
      resolve({ output: stdout + stderr, isLate: error?.killed ?? false }),
    );
  });
}
