/** Builders for tests of hooks: a project with hooks on a host in memory, whose programs are functions. */
import { HookRecords } from "../../../../src/core/hooks/hook-records.ts";
import { ProjectHooks } from "../../../../src/core/hooks/project-hooks.ts";
import type { ProgramEnd, ProgramRun } from "../../../../src/core/ports/programs.ts";
import type { HookEvent } from "../../../../src/shared/hook-list.ts";
import { type Agent, type AgentOptions, startAgent } from "../../../support/agent.ts";
import type { MemoryHost } from "../../../support/memory-host.ts";
import { MemoryStorage } from "../sessions/support.ts";

export const CLAUDE_FILE = "/project/.claude/settings.json";

/** The text of Claude Code's file with these hooks. */
export function claudeHooks(hooks: Partial<Record<HookEvent, [matcher: string, command: string][]>>): string {
  const groups = Object.entries(hooks).map(([event, list]) => [
    event,
    list.map(([matcher, command]) => ({ matcher, hooks: [{ type: "command", command }] })),
  ]);
  return JSON.stringify({ hooks: Object.fromEntries(groups) });
}

/** What a program printed and how it ended. */
export interface Played {
  exitCode?: number;
  stdout?: string;
  stderr?: string;
  endedBy?: ProgramEnd["endedBy"];
}

export interface HookRun {
  command: string;
  input: Record<string, unknown>;
  run: ProgramRun;
}

export interface HookedAgent extends Agent {
  hooks: ProjectHooks;
  runs: HookRun[];
  records: MemoryStorage;
  /** The texts that were too long for the model. */
  kept: string[];
  /** The values of the rows of hooks: event, command, outcome, why, output. */
  hookRows(): string[][];
}

const bytes = (text = "") => ({ bytes: new TextEncoder().encode(text), dropped: 0 });

/** Approves all hooks unless `approves` is false. `play`: what each command does. */
export async function hookedAgent(
  options: AgentOptions & {
    play: (command: string, input: Record<string, unknown>, run: ProgramRun) => Played | Promise<Played>;
    approves?: boolean;
    isUntrusted?: boolean;
  },
): Promise<HookedAgent> {
  const runs: HookRun[] = [];
  const records = new MemoryStorage();
  const kept: string[] = [];
  let hooks: ProjectHooks | undefined;
  const agent = await startAgent({
    ...options,
    async runProgram(run) {
      const command = run.args[0] === "-c" ? (run.args[1] ?? "") : [run.program, ...run.args].join(" ");
      const input: Record<string, unknown> = JSON.parse(String(run.input));
      runs.push({ command, input, run });
      const { exitCode = 0, stdout, stderr, endedBy } = await options.play(command, input, run);
      return { exitCode, stdout: bytes(stdout), stderr: bytes(stderr), ...(endedBy ? { endedBy } : {}) };
    },
    hooks({ host }: MemoryHost) {
      const workspace = { ...host.workspace, trusted: !options.isUntrusted };
      hooks = new ProjectHooks({
        host: { ...host, workspace },
        records: new HookRecords(records, host.log),
        async keep(text) {
          kept.push(text);
          return "/data/output.txt";
        },
      });
      return hooks;
    },
  });
  if (!hooks) throw new Error("the project has no hooks");
  const found = hooks;
  await found.load();
  if (options.approves !== false) await approveAll(found);
  const hookRows = () =>
    agent.rows().flatMap((row) => (row.kind === "notice" && row.code === "hook" ? [row.values ?? []] : []));
  return Object.assign(agent, { hooks: found, runs, records, kept, hookRows });
}

export async function approveAll(hooks: ProjectHooks): Promise<void> {
  for (const { id, content } of hooks.list().hooks) await hooks.act({ action: "approve", id, content });
}
