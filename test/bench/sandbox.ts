/**
 * Commands at the level of safe commands where there is a sandbox: what a command in it costs over a bare one, and how many recorded
 * commands ask. NEKODE_RECORDED names a file with recorded commands, because none of other people's are in the repository.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { z } from "zod";
import { Judge } from "../../src/core/loop/calls/permission.ts";
import type { SandboxPlace } from "../../src/core/ports/sandbox.ts";
import { Sandbox } from "../../src/node/sandbox/command-sandbox.ts";
import { createShell } from "../../src/node/shell/process-shell.ts";
import type { SandboxState } from "../../src/shared/sandbox-state.ts";
import { settingsSchema } from "../../src/shared/settings.ts";
import { createNodeHost } from "../support/node-host.ts";
import type { RecordedCommands, SandboxCost } from "./report.ts";

const PLACES: readonly [name: string, place: SandboxPlace | undefined][] = [
  ["outside", undefined],
  ["read-only", { profile: "read" }],
  ["work", { profile: "work" }],
  ["work with network", { profile: "work", network: true }],
];
const ROUNDS = 25;
/** Folders of the project, which are looked at before and after each command. */
const FOLDERS = 200;

/** Milliseconds of the command `true` in each place, turn by turn. undefined: there is no sandbox. */
export async function sandboxCosts(): Promise<SandboxCost[] | undefined> {
  const base = realpathSync(mkdtempSync("/var/tmp/nekode-bench-"));
  const root = path.join(base, "project");
  const home = path.join(base, "home");
  for (let n = 0; n < FOLDERS; n++) {
    const folder = path.join(root, "src", String(n));
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, "a.ts"), "");
  }
  mkdirSync(home);
  execFileSync("git", ["init", "-q", root]);
  const caches = path.join(base, "caches");
  const sandbox = new Sandbox({ environment: process.env, home, own: [], caches });
  const shell = createShell({ shell: "/bin/bash", roots: () => [root], sandbox });
  const run = async (place: SandboxPlace | undefined) => {
    const from = performance.now();
    await shell.run("true", {
      ...{ cwd: root, timeoutMs: 60_000, signal: new AbortController().signal, onOutput: () => undefined },
      ...(place ? { sandbox: { ...place, roots: [root] } } : {}),
    });
    return performance.now() - from;
  };
  try {
    if ((await sandbox.state([root])).engine === undefined) return undefined;
    const times = PLACES.map((): number[] => []);
    for (let round = 0; round <= ROUNDS; round++)
      for (const [at, [, place]] of PLACES.entries()) {
        const ms = await run(place);
        // The first run of each place finds out what later ones know.
        if (round > 0) times[at]?.push(ms);
      }
    return PLACES.map(([place], at) => {
      const sorted = (times[at] ?? []).sort((one, other) => one - other);
      return { place, ms: sorted[ROUNDS >> 1] ?? 0, bestMs: sorted[0] ?? 0 };
    });
  } finally {
    shell.dispose();
    rmSync(base, { recursive: true });
  }
}

const recordedSchema = z.array(
  z.object({ source: z.string(), command: z.string(), session: z.string().optional() }),
);

const THERE: SandboxState = { engine: "bubblewrap", version: "" };
const NONE: SandboxState = { engine: undefined, why: "system", detail: "" };

/** Judges recorded bash commands, source by source. None if no file is named. */
export async function recordedCommands(file = process.env.NEKODE_RECORDED): Promise<RecordedCommands[]> {
  if (file === undefined) return [];
  const bytes = readFileSync(file);
  const text = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString();
  const commands = recordedSchema.parse(JSON.parse(text));
  const settings = () => settingsSchema.parse({ approval: { edit: true, commandSafe: true } });
  const base = realpathSync(mkdtempSync("/var/tmp/nekode-bench-"));
  const root = path.join(base, "project");
  mkdirSync(root);
  execFileSync("git", ["init", "-q", root]);
  const { host } = createNodeHost({
    ...{ hasSandbox: false, root, dataDir: path.join(base, "data"), shell: "/bin/bash" },
    assetsDir: path.join(process.cwd(), "node_modules/@vscode/tree-sitter-wasm/wasm"),
    log: { info: () => undefined, error: () => undefined },
  });
  const judgeWith = (state: SandboxState) =>
    new Judge({ ...host, shell: { kind: "bash", sandbox: async () => state } }, settings);
  const [inSandbox, without] = [judgeWith(THERE), judgeWith(NONE)];
  const asks = async (judge: Judge, command: string) =>
    (await judge.permission({ access: "command" }, { paths: [], command }, "act")).verdict !== "allow";
  try {
    return await rowsOf(
      commands,
      (command) => asks(inSandbox, command),
      (command) => asks(without, command),
    );
  } finally {
    host.shell.dispose();
    rmSync(base, { recursive: true });
  }
}

async function rowsOf(
  commands: z.infer<typeof recordedSchema>,
  asksInSandbox: (command: string) => Promise<boolean>,
  asksWithout: (command: string) => Promise<boolean>,
): Promise<RecordedCommands[]> {
  const rows: RecordedCommands[] = [];
  for (const source of new Set(commands.map((each) => each.source))) {
    const own = commands.filter((each) => each.source === source);
    const sessions = own.flatMap(({ session }) => session ?? []);
    const asking = new Set<string>();
    const row = { source, commands: own.length, asks: 0, asksWithout: 0 };
    for (const { command, session } of own) {
      if (await asksWithout(command)) row.asksWithout++;
      if (!(await asksInSandbox(command))) continue;
      row.asks++;
      if (session !== undefined) asking.add(session);
    }
    const all = new Set(sessions).size;
    // Without a session for each command, nobody can tell.
    rows.push(sessions.length === own.length ? { ...row, sessions: all, unasked: all - asking.size } : row);
  }
  return rows;
}

export function sandboxText(
  costs: readonly SandboxCost[] | undefined,
  rows: readonly RecordedCommands[],
): string {
  const [outside] = costs ?? [];
  const more = (ms: number, of: number) => `${(ms - of).toFixed(1)} ms`;
  return [
    ...(outside === undefined || costs === undefined
      ? ["a command in the sandbox: there is none here"]
      : costs
          .slice(1)
          .map(
            ({ place, ms, bestMs }) =>
              `a command in the sandbox (${place}) over one outside: ${more(ms, outside.ms)} more, best ${more(bestMs, outside.bestMs)}`,
          )),
    ...(rows.length === 0 ? ["recorded commands: NEKODE_RECORDED names no file"] : rows.map(recordedText)),
  ].join("\n");
}

function recordedText({ source, commands, asks, asksWithout, sessions, unasked }: RecordedCommands): string {
  const counted =
    sessions === undefined
      ? "sessions not recorded"
      : `${unasked} of ${sessions} sessions without a question about commands`;
  return `${source}: ${asks} of ${commands} commands ask, ${asksWithout} without a sandbox; ${counted}`;
}
