/**
 * The subtasks of a session's task. Each is a session of its own, stored under the one that started it. They end with their parent
 * task, and have its permissions and its limits.
 */

import { type Message, unansweredCalls } from "../../../shared/message.ts";
import { modelName } from "../../../shared/models/connection.ts";
import type { ChildTask } from "../../../shared/view/child-task.ts";
import { sha256 } from "../../bytes.ts";
import { Interrupt, isStoppedByUser, ToolError, throwIfAborted } from "../../errors.ts";
import { findAgent, readOwnAgents } from "../../instructions/agent-catalogue.ts";
import type { Agent } from "../../instructions/agents.ts";
import { Emitter } from "../../lifecycle.ts";
import { totalsAfter } from "../../loop/limits/usage-totals.ts";
import type { RunEnd } from "../../loop/loop.ts";
import type { TranscriptStart } from "../../loop/transcript.ts";
import type { FileStates } from "../../ports/file-states.ts";
import type { Worktree } from "../../ports/worktrees.ts";
import * as prompts from "../../prompts/replies.ts";
import { boundedLine } from "../../servers/server-text.ts";
import type { SessionStore, StoredSession } from "../../sessions/session-store.ts";
import type { FileWriters } from "../../tools/editing/file-writers.ts";
import { ToolRegistry } from "../../tools/registry.ts";
import type { ToolSet } from "../../tools/set/tool-set.ts";
import type {
  ChildKind,
  ChildTasks,
  InterruptedChild,
  RunContext,
  Tool,
  ToolOutput,
  WantedChild,
} from "../../tools/tool.ts";
import type { TurnSlots } from "../project/turn-slots.ts";
import { type Session, titleOf } from "../session.ts";
import type { ChildTerms, OpenChildren, SubtaskParent } from "../session-parts.ts";
import { ChildMirror } from "./child-mirror.ts";
import { lastWords, stateAfter, storedChild } from "./child-report.ts";
import {
  beginWorktree,
  expectWorktrees,
  type Settled,
  settleWorker,
  type WorkerDeps,
} from "./worker-tree.ts";

/** The parts of a subtask's session that differ from those of other sessions. */
export interface ChildParts {
  registry: ToolRegistry;
  settings: SubtaskParent["settings"];
  terms: ChildTerms;
}

export interface SubtasksDeps {
  store: SessionStore;
  registry: ToolRegistry;
  /** The session runs a subtask from now on, and its events are reported. */
  adopt(session: Session): void;
  /** The subtask is over. `ended`: see `Session.close`. */
  release(session: Session, how: { ended: boolean }): Promise<void>;
  slots: Pick<TurnSlots, "yield">;
  writers: FileWriters;
  /** Writes what subtasks changed in their worktrees; absent: there are only subtasks that read. */
  files?: FileStates;
  create(parts: ChildParts, start: TranscriptStart): Session;
}

const NO_FILES = "This host cannot apply what a task of kind work changes.";

interface Child {
  session: Session;
  worktree: Worktree | undefined;
  /** What its first message contains in addition. */
  note: string;
  mirror: ChildMirror;
  registry: ToolRegistry;
  stored: StoredSession | undefined;
}

export class Subtasks implements ChildTasks, OpenChildren {
  readonly #deps: SubtasksDeps;
  readonly #parent: SubtaskParent;
  /** By the call that started it. */
  readonly #running = new Map<string, Session>();
  readonly #decided = new Emitter<void>();
  /** The user decided something since the session was opened. */
  #isDecided = false;

  constructor(deps: SubtasksDeps, parent: SubtaskParent) {
    this.#deps = deps;
    this.#parent = parent;
  }

  async check(wanted: WantedChild): Promise<void> {
    childRegistry(this.#deps.registry, wanted);
    await this.#agentOf(wanted);
    if (wanted.kind !== "work") return;
    if (this.#parent.transcript.mode === "plan")
      throw new ToolError("In PLAN MODE, only tasks of kind explore can be started.");
    expectWorktrees(this.#parent.host);
    if (!this.#deps.files) throw new ToolError(NO_FILES);
  }

  async run(wanted: WantedChild, context: RunContext): Promise<ToolOutput> {
    const { callId, signal } = context;
    throwIfAborted(signal);
    // The parent task does not keep its slot while it waits, because its subtasks need slots.
    this.#deps.slots.yield(this.#parent.transcript.id);
    const child = await this.#begin(wanted, context);
    const { session, mirror } = child;
    const onAbort = () => void this.#end(session, signal);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      const end = await this.#work(child, wanted, context);
      throwIfAborted(signal);
      return await this.#report(child, end, context);
    } finally {
      signal.removeEventListener("abort", onAbort);
      if (signal.aborted) await this.#end(session, signal);
      mirror.dispose();
      this.#running.delete(callId);
      await this.#deps.release(session, { ended: !signal.aborted || isStoppedByUser(signal) });
    }
  }

  async interrupted(callId: string): Promise<InterruptedChild | undefined> {
    const { store, registry } = this.#deps;
    const stored = await store.load(await childId(this.#parent.transcript.id, callId));
    if (!stored) return undefined;
    const task = storedChild(stored, registry);
    const report = prompts.subtaskResult(
      task,
      prompts.SUBTASK_ENDS.interrupted,
      lastWords(stored.messages, registry),
    );
    const worktree = readable(stored);
    const worktreeNote = worktree ? `\n${prompts.CHANGES.kept(worktree.branch)}` : "";
    return { text: `${report}${worktreeNote}`, shown: { task }, spent: [stored.totals] };
  }

  async asks(callId: string): Promise<boolean> {
    const { store, registry } = this.#deps;
    const stored = await store.load(await childId(this.#parent.transcript.id, callId));
    if (!stored) return false;
    const phase = phaseOf(stored, await store.startedCalls(stored.summary.id), registry);
    return phase === "asks" || (phase === "done" && readable(stored) !== undefined);
  }

  /** The agent of a subtask, as its file is now. Throws ToolError if there is none, or the task's own agents do not have it. */
  async #agentOf({ agent: name }: WantedChild): Promise<Agent | undefined> {
    if (name === undefined) return undefined;
    const { host, settings } = this.#parent;
    const agents = (await readOwnAgents(host, settings().context)).filter(({ byModel }) => byModel);
    const usable = agents.filter((agent) =>
      this.#parent.agents().every(({ subagents }) => !subagents || hasNamed(subagents, agent)),
    );
    const agent = findAgent(usable, name);
    if (agent) return agent;
    const names = usable.map((each) => each.name).join(", ");
    throw new ToolError(
      `There is no agent named ${JSON.stringify(boundedLine(name, 100))} that a subtask can have. ${names === "" ? "Start the task without an agent." : `There are: ${names}.`}`,
    );
  }

  /** USD of the task and all its subtasks. */
  #cost(): number {
    const running = [...this.#running.values()].map(({ transcript }) => transcript.totals.cost ?? 0);
    return running.reduce((sum, cost) => sum + cost, this.#parent.transcript.totals.cost ?? 0);
  }

  #showTotals(): void {
    const { transcript } = this.#parent;
    const running = [...this.#running.values()].map((child) => child.transcript.totals);
    transcript.emit({ type: "totals", totals: totalsAfter(transcript.totals, running) });
  }

  async #begin(wanted: WantedChild, { callId, signal }: RunContext): Promise<Child> {
    const { store, create, adopt } = this.#deps;
    const parent = this.#parent;
    const { transcript, approvals, limits, settings, host } = parent;
    const id = await childId(transcript.id, callId);
    const stored = await store.load(id, { skip: 0, count: 1 });
    const registry = childRegistry(this.#deps.registry, wanted);
    const terms: ChildTerms = {
      allowances: approvals.allowances,
      limits: { limits, cost: () => this.#cost() },
      agents: () => this.#parent.agents(),
    };
    const agent = stored ? undefined : await this.#agentOf(wanted);
    const worktreeStart =
      stored || wanted.kind === "explore"
        ? { worktree: readable(stored), note: "" }
        : await beginWorktree(this.#worker(), titleOf(wanted.description), signal);
    const { worktree } = worktreeStart;
    const permission = transcript.permission.current;
    const session = create(
      { registry, settings, terms },
      {
        id,
        mode: "act",
        permission,
        agent: agent?.session,
        parent: transcript.id,
        // A subtask that only reads may do so in plan mode too.
        ...(worktree ? { worktree, parentMode: () => transcript.mode } : {}),
      },
    );
    if (stored) {
      const loaded = await session.transcript.load(false);
      if (loaded === "elsewhere") {
        await session.dispose();
        throw new ToolError(`The session ${id} of this task is open in another window, which continues it.`);
      }
    }
    const model = wanted.model ?? agent?.models[0] ?? modelName(transcript.modelChoice(settings()));
    session.transcript.chooseModel("act", model);
    session.transcript.chooseModel("plan", model);
    adopt(session);
    this.#running.set(callId, session);
    const mirror = new ChildMirror({
      child: session,
      parent,
      callId,
      kind: wanted.kind,
      signal,
      root: worktree?.root ?? host.workspace.root,
      branch: worktree?.branch,
      decided: () => this.#decide(),
      spent: () => this.#showTotals(),
    });
    if (stored) await session.show();
    mirror.showEarlier();
    return { session, mirror, registry, stored, ...worktreeStart };
  }

  /** Resolves with how its work ended. */
  async #work(
    { session, mirror, registry, stored, note }: Child,
    { description, kind }: WantedChild,
    { signal, isRestored }: RunContext,
  ): Promise<RunEnd> {
    throwIfAborted(signal);
    if (!stored) {
      const text = `${prompts.subtaskMessage(description, kind)} ${note}`.trim();
      await session.startTurn({ text, shown: description, images: [], byModel: true }).catch(interruptedOr);
      return endOf(session);
    }
    const { messages } = session.transcript;
    const phase = phaseOf({ messages }, await session.transcript.startedCalls(), registry);
    if (phase === "done") return { type: "completed" };
    if (phase === "unfinished" && isRestored) {
      mirror.show("held");
      await this.#decision(signal);
      mirror.show("working");
    }
    if (phase === "asks") await session.pickUp();
    else await session.retry();
    return endOf(session);
  }

  #decide(): void {
    this.#isDecided = true;
    this.#decided.emit();
  }

  /** Resolves when the user decides on a call of the task or its subtasks. Rejects with Interrupt when the signal aborts. */
  async #decision(signal: AbortSignal): Promise<void> {
    if (this.#isDecided) return;
    await new Promise<void>((resolve, reject) => {
      const onAbort = () => {
        listening.dispose();
        reject(new Interrupt());
      };
      const listening = this.#decided.on(() => {
        listening.dispose();
        signal.removeEventListener("abort", onAbort);
        resolve();
      });
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  async #end(session: Session, signal: AbortSignal): Promise<void> {
    await (isStoppedByUser(signal) ? session.stop() : session.dispose());
  }

  #worker(): WorkerDeps {
    const { store, files, writers } = this.#deps;
    const { host, transcript, settings } = this.#parent;
    if (!files) throw new ToolError(NO_FILES);
    const { wrote } = writers.of(transcript.id, () => transcript.title);
    return { host, store, files, wrote, setup: settings().worktrees.setup };
  }

  async #report(
    { session, mirror, registry, worktree }: Child,
    end: RunEnd,
    context: RunContext,
  ): Promise<ToolOutput> {
    const { id, transcript } = session;
    const state = stateAfter(end);
    mirror.show(state);
    const how = end.type === "asked" ? prompts.SUBTASK_ENDS.asked : endText(state);
    const text = prompts.subtaskResult(
      { id, title: transcript.title },
      how,
      lastWords(transcript.messages, registry),
    );
    const { branch: _, ...task } = mirror.task;
    const output: ToolOutput = {
      parts: [{ type: "text", text }],
      shown: { task },
      spent: [transcript.totals],
      ...(state === "failed" ? { failed: true } : {}),
      ...(state === "stopped" ? { outcome: "interrupted" as const } : {}),
    };
    if (!worktree) return output;
    // Incomplete changes are not proposed. The user finds them in the subtask's own session.
    const settled: Settled =
      state === "done"
        ? await settleWorker(this.#worker(), { id, worktree }, context)
        : { text: prompts.CHANGES.kept(worktree.branch), isKept: true };
    const { isKept, text: changes, ...outcome } = settled;
    this.#decide();
    return {
      ...output,
      ...outcome,
      parts: [{ type: "text", text: `${text}\n${changes}` }],
      shown: { task: { ...task, ...(isKept ? { branch: worktree.branch } : {}) } },
    };
  }
}

function endText(state: ChildTask["state"]): string {
  switch (state) {
    case "stopped":
    case "limit":
    case "failed":
      return prompts.SUBTASK_ENDS[state];
    case "done":
    case "interrupted":
    case "queued":
    case "working":
    case "approval":
    case "held":
      return prompts.SUBTASK_ENDS.done;
  }
}

function readable(stored: StoredSession | undefined): Worktree | undefined {
  return stored?.worktree === "unreadable" ? undefined : stored?.worktree;
}

/** Whether a list of agents has this one, as other products write its name. */
function hasNamed(names: readonly string[], agent: Agent): boolean {
  return names.some((name) => findAgent([agent], name) !== undefined);
}

/** How the last turn of a session ended. */
async function endOf(session: Session): Promise<RunEnd> {
  let end: RunEnd = { type: "stopped" };
  // A turn may be followed by one with messages that the user sent to it.
  while (session.busy) end = (await session.idle) ?? end;
  return end;
}

/** An Interrupt ends the turn, whose end is read elsewhere; other errors are thrown. */
function interruptedOr(error: unknown): void {
  if (!(error instanceof Interrupt)) throw error;
}

/** asks: a call waits for the user. done: it ended. */
function phaseOf(
  { messages }: { messages: readonly Message[] },
  started: ReadonlySet<string>,
  registry: ToolSet,
): "asks" | "done" | "unfinished" {
  const open = unansweredCalls(messages).filter(({ id, partial }) => !partial && !started.has(id));
  const ends = open.filter((call) => registry.find(call.name)?.turnEnd !== undefined);
  if (open.length > ends.length) return "asks";
  const last = messages.at(-1);
  const replied = last?.role === "assistant" && !last.interrupted && unansweredCalls(messages).length === 0;
  return ends.length > 0 || replied ? "done" : "unfinished";
}

/** The id of the session that a call starts: the same after a restart, so that the call finds what it began. */
async function childId(parent: string, callId: string): Promise<string> {
  const hash = await sha256(new TextEncoder().encode(`${parent}\n${callId}`));
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join("-");
}

/** Whether a subtask can have the tool. It can neither ask the user nor start tasks; one that explores has only tools that read. */
function isFor(kind: ChildKind, { access, turnEnd, sideBySide }: Tool): boolean {
  if (access === "talk") return turnEnd === "completed" && !sideBySide;
  return kind === "work" || access === "read";
}

/** The tools do not change while the task runs. Throws ToolError for a tool that it cannot have. */
function childRegistry(tools: ToolSet, { kind, tools: names }: WantedChild): ToolRegistry {
  const usable = tools.tools.filter((tool) => isFor(kind, tool));
  const requested = names?.map((name) => {
    const tool = tools.find(name);
    if (tool && usable.includes(tool)) return tool;
    const offered = usable.filter(({ access }) => access !== "talk").map((each) => each.name);
    throw new ToolError(`A task of kind ${kind} has no tool ${name}. It can have: ${offered.join(", ")}.`);
  });
  // Without the tool that ends it, a task could not report.
  const chosen = usable.filter((tool) => !requested || requested.includes(tool) || tool.access === "talk");
  const registry = new ToolRegistry(chosen);
  if (chosen.some(({ access }) => access === "mcp")) registry.setServers(tools.servers);
  return registry;
}
