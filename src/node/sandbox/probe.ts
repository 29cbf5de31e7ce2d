/** Which engine this machine has, tried once by running a command in it. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { messageOf } from "../../shared/message-of.ts";
import type { NoSandboxReason, SandboxState } from "../../shared/sandbox-state.ts";
import { bubblewrap } from "./bubblewrap.ts";
import { enclosedStdio, tellEngine } from "./enclosed-process.ts";
import type { CommandEnclosure, Enclosure, Engine, FileRules } from "./file-rules.ts";
import { makePrivateFolders, type PrivateFolders } from "./private-folders.ts";
import { seatbelt } from "./seatbelt.ts";

/** Milliseconds after which an engine counts as one that does not answer. */
const PATIENCE = 10_000;

const ENGINES: Readonly<Partial<Record<NodeJS.Platform, Engine>>> = { linux: bubblewrap, darwin: seatbelt };

/** What the tried command must not be able to do: read a hidden file, and write one. Then it runs what further arguments name. */
const OFFENCES = '(cat "$1"; echo x >"$2") 2>/dev/null; echo works; shift 2; "$@"';
const SECRET = "hidden";

/** An engine that works, or why there is none. */
export interface FoundEngine {
  state: SandboxState;
  /** Path of the engine's program; "": there is none. */
  program: string;
  /** Absent: there is none. Throws if something that it needs cannot be made. */
  enclose?(rules: FileRules): CommandEnclosure;
}

const none = (why: NoSandboxReason, detail: string): FoundEngine => ({
  state: { engine: undefined, why, detail },
  program: "",
});

/** Never rejects. No program is taken from `roots`. */
export async function findEngine(
  environment: NodeJS.ProcessEnv,
  roots: readonly string[],
  platform: NodeJS.Platform = process.platform,
): Promise<FoundEngine> {
  const engine = ENGINES[platform];
  const program = engine?.find(environment, roots);
  if (engine !== undefined && program !== undefined) return tryEngine(engine, program);
  return engine?.package === undefined ? none("system", platform) : none("missing", engine.package);
}

/** `patience`: in milliseconds. */
export async function tryEngine(engine: Engine, program: string, patience = PATIENCE): Promise<FoundEngine> {
  let folders: PrivateFolders | undefined;
  try {
    folders = makePrivateFolders();
    const [secret, written] = [path.join(folders.own, "secret"), path.join(folders.own, "written")];
    await writeFile(secret, SECRET);
    const lists = { hidden: [secret], folders: [], fixed: [], absent: [], shown: [], programs: [] };
    const enclosure = engine.enclose(program, { profile: "read", network: false, ...lists, ...folders });
    const asked = engine.version ? [program, engine.version.flag] : [];
    const command = [...enclosure.flags, "/bin/sh", "-c", OFFENCES, "sh", secret, written, ...asked];
    const tried = await run(program, command, patience, enclosure);
    enclosure.release();
    if (tried.output.includes(SECRET) || existsSync(written))
      return none("refused", `${engine.name}: it does not enforce its rules`);
    const [works, shown = "", ...more] = tried.output.trim().split("\n");
    if (works === "works" && more.length === 0 && (engine.version || shown === "")) {
      const state = { engine: engine.name, version: engine.version?.of(shown) ?? "" };
      return { state, program, enclose: (rules) => engine.enclose(program, rules) };
    }
    if (tried.isLate) return none("silent", engine.name);
    const said = tried.output.trim().split("\n").at(-1) ?? "";
    // It may be too old.
    const version = engine.version?.of((await run(program, [engine.version.flag], patience)).output) ?? "";
    return none("refused", `${`${engine.name} ${version}`.trim()}: ${said}`);
  } catch (error) {
    return none("refused", messageOf(error));
  } finally {
    if (folders) await rm(folders.own, { recursive: true, force: true });
  }
}

/** Rejects if the program cannot be started. */
function run(
  program: string,
  args: readonly string[],
  timeout: number,
  enclosure?: Enclosure,
): Promise<{ output: string; isLate: boolean }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...{ timeout, killSignal: "SIGKILL" },
      stdio: ["ignore", "pipe", "pipe", ...enclosedStdio(enclosure, ["ignore", "ignore"])],
    });
    let output = "";
    const read = (stream: Readable | null) =>
      stream?.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    read(child.stdout);
    read(child.stderr);
    child.once("error", reject);
    // What it has started may have its output open still.
    child.once("exit", () => {
      if (child.killed) for (const stream of child.stdio) stream?.destroy();
    });
    child.once("close", () => resolve({ output, isLate: child.killed }));
    tellEngine(child, enclosure);
  });
}
