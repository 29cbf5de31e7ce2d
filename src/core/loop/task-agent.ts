/**
 * The agent of a task, and those of the task that started it. They apply from the begin of a turn to its end, and only ever refuse: what
 * they have is judged and approved like any call.
 */
import { relative, sep } from "node:path";
import { type Reason, reasonOf } from "../../shared/reason.ts";
import type { FilePattern, SessionAgent } from "../../shared/session-agent.ts";
import { isBoundedPattern } from "../bounded-pattern.ts";
import { LONGEST_PATH } from "../instructions/agents.ts";
import { concerns } from "../instructions/rule-matches.ts";
import type { Host } from "../ports/host.ts";
import { refusedByAgent, refusedSwitchedOff } from "../prompts/replies.ts";
import { folderPaths, isInside } from "../roots.ts";
import { hasTool, offersServer, type ToolLimits } from "../tools/set/agent-limits.ts";
import type { Invocation, PathUse, Tool } from "../tools/tool.ts";
import type { Judge } from "./calls/permission.ts";

export interface TaskAgentDeps {
  host: Pick<Host, "files" | "workspace">;
  /** `agent`: the one that the user chose last. */
  conversation: { readonly agent: SessionAgent | undefined };
  judge: Pick<Judge, "covers" | "resolved">;
  /** The agents of the task that started this one, whose limits apply too. */
  parentAgents?: () => readonly SessionAgent[];
}

/** What is judged: a tool, or a change that a call makes while it runs. */
type JudgedTool = Pick<Tool, "name" | "access" | "server" | "reaches">;

export class TaskAgent {
  readonly #deps: TaskAgentDeps;
  #own: SessionAgent | undefined;
  #all: readonly SessionAgent[] = [];
  #switchedOff: readonly ToolLimits[] = [];

  constructor(deps: TaskAgentDeps) {
    this.#deps = deps;
  }

  /** Takes over what was chosen, and what the user switched off. Call only when a turn begins. */
  begin(switchedOff: readonly ToolLimits[] = []): void {
    this.#switchedOff = switchedOff;
    const { conversation, parentAgents } = this.#deps;
    this.#own = conversation.agent;
    this.#all = [...(this.#own ? [this.#own] : []), ...(parentAgents?.() ?? [])];
  }

  /** The agent whose instructions the task follows. */
  get own(): SessionAgent | undefined {
    return this.#own;
  }

  /** All agents whose limits apply, its own first. */
  get all(): readonly SessionAgent[] {
    return this.#all;
  }

  /** Everything that limits the task's tools. */
  get limits(): readonly ToolLimits[] {
    return [...this.#all, ...this.#switchedOff];
  }

  /** Refuses a tool that the user switched off or the agent does not have; undefined: the task has it. */
  refusal(tool: JudgedTool): { text: string; reason: Reason } | undefined {
    if (!this.#switchedOff.every((limits) => hasTool(limits, tool)))
      return { text: refusedSwitchedOff(tool.name), reason: reasonOf("tool-off") };
    const agent = this.#all.find((each) => !hasTool(each, tool));
    if (!agent) return undefined;
    return { text: refusedByAgent(tool.name, agent.name), reason: reasonOf("agent-tool", agent.name) };
  }

  /** Why the agent must not make this call, by everything that the call touches; undefined: it may. */
  async denial(
    tool: JudgedTool,
    invocation: Pick<Invocation, "paths" | "command" | "runsInEditor"> & {
      view: Pick<Invocation["view"], "server">;
    },
  ): Promise<Reason | undefined> {
    for (const agent of this.#all) {
      const reason = await this.#denialBy(agent, tool, invocation);
      if (reason) return reason;
    }
    return undefined;
  }

  async #denialBy(
    agent: SessionAgent,
    tool: JudgedTool,
    { paths, command, runsInEditor, view }: Parameters<TaskAgent["denial"]>[1],
  ): Promise<Reason | undefined> {
    const { name, commands, editable } = agent;
    const hasAll =
      hasTool(agent, tool) && (!view.server || offersServer(agent, view.server.name, view.server.tool));
    if (!hasAll) return reasonOf("agent-tool", name);
    // What the editor runs is none of the commands that the agent may run.
    if (runsInEditor && commands) return reasonOf("agent-commands", name, commands.join(", "));
    if (command !== undefined && commands && !(await this.#deps.judge.covers(command, commands)))
      return reasonOf("agent-commands", name, commands.join(", "));
    if (!editable) return undefined;
    const written = paths.filter(({ access }) => access === "write");
    const isEditable = await Promise.all(written.map((use) => this.#isEditable(editable, use)));
    if (isEditable.every((is) => is)) return undefined;
    return reasonOf("agent-files", name, editable.map(({ pattern }) => pattern).join(", "));
  }

  /** By the path as the call names it, and by what it resolves to: a link must not lead out of the patterns. */
  async #isEditable(patterns: readonly FilePattern[], { path }: PathUse): Promise<boolean> {
    const { host, judge } = this.#deps;
    const roots = folderPaths(host.workspace);
    const resolved = await judge.resolved(path);
    if (resolved === undefined || !matches(patterns, below(roots, path))) return false;
    const real = await Promise.all(roots.map((root) => host.files.realpath(root).catch(() => root)));
    return matches(patterns, below([...roots, ...real], resolved));
  }
}

/** The path relative to the folder that contains it, with `/`; undefined: it is in none. */
function below(roots: readonly string[], path: string): string | undefined {
  const root = roots.find((each) => isInside(each, path));
  return root === undefined ? undefined : relative(root, path).split(sep).join("/");
}

function matches(patterns: readonly FilePattern[], path: string | undefined): boolean {
  if (path === undefined || path === "") return false;
  const globs = patterns.flatMap(({ kind, pattern }) => (kind === "glob" ? [pattern] : []));
  if (globs.length > 0 && concerns(globs, [path])) return true;
  return patterns.some(
    ({ kind, pattern }) =>
      kind === "regex" &&
      path.length <= LONGEST_PATH &&
      isBoundedPattern(pattern, LONGEST_PATH) &&
      new RegExp(pattern).test(path),
  );
}
