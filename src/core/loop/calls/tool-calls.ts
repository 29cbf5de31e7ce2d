/**
 * Processes the calls of one message: prepare, judge, approve, run, append the result. Each result is on disk before anything
 * else happens. Adjacent calls that only read, or that start tasks, run in parallel; other calls run in order.
 */
import type { ToolCallBlock } from "../../../shared/message.ts";
import { approvalWith, exceptionFor } from "../../../shared/permission/session-permission.ts";
import { cleanTodo } from "../../context/focus-chain.ts";
import { Interrupt, NothingToDo, throwIfAborted } from "../../errors.ts";
import { REMOVED_KEY } from "../../key-mask.ts";
import * as replies from "../../prompts/replies.ts";
import type { RequiredOutput } from "../../tools/set/required-output.ts";
import type {
  CallStream,
  Coverage,
  Invocation,
  Tool,
  ToolContext,
  ToolOutput,
  TurnEnd,
} from "../../tools/tool.ts";
import { NUDGE_AT } from "../limits/repeats.ts";
import { hasFailedCall } from "../results.ts";
import type { RunEnd } from "../run-end.ts";
import type { Approvals, Decision } from "./approvals.ts";
import { type AskDeps, askUser, type OutdatedApproval } from "./ask-user.ts";
import { CallResults, type CallResultsDeps, fromOutside } from "./call-results.ts";
import type { Judge } from "./permission.ts";
import { propose } from "./propose.ts";
import { protectionOf } from "./protection.ts";
import { type PreparedCall, type RunCallDeps, startCall } from "./run-call.ts";

/** Questions about one call, each because files changed after the one before. */
const MOST_QUESTIONS = 4;

export interface CallsOptions extends AskDeps, RunCallDeps, CallResultsDeps {
  approvals: Approvals;
  judge: Judge;
  context: ToolContext;
  /** Streams of the calls whose previews opened while they arrived. */
  streams: Map<string, CallStream>;
  /** Calls that were waiting when the window closed ask again, whatever the settings allow. */
  askAgain: boolean;
  /** The message contains unreadable calls, so it does not end the turn before they are answered. */
  hasUnreadableCall: boolean;
  /** What final answers must be; absent: any text. */
  output?: Pick<RequiredOutput, "ofCall" | "refuse">;
  /** Called when the user accepts a summary that replaces the conversation so far. */
  condense(summary: string): void;
}

/** What the user decided about a call that may run. */
type Allowed = Omit<Decision, "approved"> & { isAsked: boolean };

/** `covers`: what must be as it was shown; else the user is asked again. */
type Considered = Pick<PreparedCall, "call" | "tool" | "invocation"> & { covers: Coverage | undefined };

/** What follows a call: the next call, no further call because the user rejected this one, or the end of the turn. */
type Next = "next" | "rejected" | RunEnd;

/** Runs the calls; undefined: the model continues. */
export async function runCalls(
  calls: readonly ToolCallBlock[],
  options: CallsOptions,
  signal: AbortSignal,
): Promise<RunEnd | undefined> {
  const run = new CallRun(calls, options, signal);
  const { conversation, judge, registry } = options;
  const goesOn = calls.some(({ name }) => registry.find(name)?.turnEnd === undefined);
  if (goesOn && conversation.mode === "act") judge.prepare();
  for (let i = 0; i < calls.length; i++) {
    const call = calls[i];
    if (!call) break;
    const batch = run.sideBySide(calls.slice(i));
    if (batch.length > 1) {
      await Promise.all(batch.map((each) => run.one(each)));
      i += batch.length - 1;
      continue;
    }
    const next = await run.one(call);
    if (next === "next") continue;
    const why = next === "rejected" ? "rejected-before" : "turn-over";
    for (const rest of calls.slice(i + 1)) await run.results.closed(rest, why);
    return next === "rejected" ? undefined : next;
  }
  return undefined;
}

class CallRun {
  readonly results: CallResults;
  readonly #calls: readonly ToolCallBlock[];
  readonly #o: CallsOptions;
  readonly #signal: AbortSignal;

  constructor(calls: readonly ToolCallBlock[], options: CallsOptions, signal: AbortSignal) {
    this.#calls = calls;
    this.#o = options;
    this.#signal = signal;
    this.results = new CallResults(options);
  }

  /** Leading calls that need no approval and may run in parallel; each is judged again when it runs. */
  sideBySide(calls: readonly ToolCallBlock[]): ToolCallBlock[] {
    const { askAgain, registry, settings } = this.#o;
    const now = settings();
    const mayAsk = (name: string) =>
      askAgain || !approvalWith(now.approval, "read", exceptionFor(now, name, undefined)).read;
    const end = calls.findIndex((call) => {
      const tool = registry.find(call.name);
      if (tool?.sideBySide && !call.partial) return false;
      return tool?.access !== "read" || call.partial || mayAsk(tool.name);
    });
    return calls.slice(0, end < 0 ? calls.length : end);
  }

  /** Processes one call up to its result. */
  async one(call: ToolCallBlock): Promise<Next> {
    throwIfAborted(this.#signal);
    const { registry, conversation } = this.#o;
    const resolved = registry.resolve(call);
    if (!resolved.ok) {
      await this.results.failed(call, resolved.error, { outcome: call.partial ? "not-run" : "failed" });
      return "next";
    }
    const { tool, params, progress } = resolved;
    if (progress !== undefined) await conversation.setTodo(cleanTodo(progress));
    if (!this.#mayRun(tool)) {
      await this.results.refusedInMode(call, tool);
      return "next";
    }
    const refusal = this.#refusal(call, tool);
    if (refusal !== undefined) {
      await this.results.failed(call, refusal, { outcome: "not-run" });
      return "next";
    }
    if (tool.turnEnd) return this.#endTurn(call, tool, tool.turnEnd, params);
    return this.#decide(call, tool, params);
  }

  /** Why the call must wait for another message or for another tool; undefined: it need not. */
  #refusal(call: ToolCallBlock, tool: Tool): string | undefined {
    const { context, registry } = this.#o;
    if (tool.oncePerMessage) {
      const first = this.#calls.find((each) => registry.find(each.name)?.name === tool.name);
      if (first && first.id !== call.id) return replies.onlyOneCall(tool.name);
    }
    if (tool.turnEnd) return undefined;
    for (const other of registry.tools) {
      const reason = other.name === tool.name ? undefined : other.excludesOthers?.(context);
      if (reason !== undefined) return reason;
    }
    return undefined;
  }

  /** Whether the mode allows the tool. Plan mode never writes, whatever a tool declares. */
  #mayRun(tool: Tool): boolean {
    const { mode } = this.#o.conversation;
    if (!tool.modes.includes(mode)) return false;
    // Of servers, the policy allows only tools that the user marked as reading.
    return mode === "act" || ["read", "web", "talk", "mcp"].includes(tool.access);
  }

  /** Ends the turn, with the user's next message as the result, unless the tool gives a continuation. */
  async #endTurn(
    call: ToolCallBlock,
    tool: Tool,
    end: TurnEnd,
    params: Record<string, unknown>,
  ): Promise<Next> {
    const { conversation, hasUnreadableCall, limits, output } = this.#o;
    if (hasUnreadableCall) {
      await this.results.failed(call, replies.NOT_RUN.unread, { outcome: "not-run" });
      return "next";
    }
    if (tool.afterFailure !== undefined && hasFailedCall(conversation.messages)) {
      await this.results.failed(call, tool.afterFailure, { outcome: "not-run" });
      return "next";
    }
    const reply = tool.continuation?.(params);
    if (reply !== undefined) {
      await this.results.ran(call, { parts: [{ type: "text", text: reply }] });
      return "next";
    }
    const misfit = output?.ofCall(tool, params);
    if (misfit !== undefined) {
      await this.results.failed(call, replies.misfitCall(tool.name, misfit));
      output?.refuse(misfit);
      return "next";
    }
    limits.succeeded();
    conversation.emit({ type: "call-done", callId: call.id, outcome: "done" });
    return { type: end };
  }

  /** undefined: the call cannot run, and its result says why. */
  async #prepare(
    call: ToolCallBlock,
    tool: Tool,
    params: Record<string, unknown>,
  ): Promise<Invocation | undefined> {
    const { context, streams } = this.#o;
    const writes = tool.access === "edit" || tool.access === "command" || tool.access === "mcp";
    if (writes && JSON.stringify(params).includes(REMOVED_KEY)) {
      await this.results.failed(call, replies.containsRemovedKey(REMOVED_KEY));
      return undefined;
    }
    try {
      const invocation = await tool.prepare(params, context, streams.get(call.id));
      streams.delete(call.id);
      return invocation;
    } catch (error) {
      if (error instanceof Interrupt) throw error;
      if (error instanceof NothingToDo) await this.#unchanged(call, tool, error);
      else await this.results.threw(call, error, { note: "refused" });
      return undefined;
    }
  }

  /** What the call would do is done already: the model learns it, and it is no failure. */
  async #unchanged(call: ToolCallBlock, tool: Tool, { message }: NothingToDo): Promise<void> {
    const parts: ToolOutput["parts"] = [{ type: "text", text: message }];
    const output: ToolOutput = { parts, shown: { note: "unchanged" } };
    this.#count(call, tool, output);
    await this.results.ran(call, output);
  }

  /**
   * Asks again if files that an approval covers changed while the call waited. What changes all the time, such as a log, ends the call
   * when it runs.
   */
  async #decide(
    call: ToolCallBlock,
    tool: Tool,
    params: Record<string, unknown>,
    outdated?: OutdatedApproval,
    questions = 1,
  ): Promise<Next> {
    const invocation = await this.#prepare(call, tool, params);
    if (!invocation) return "next";
    const covers = questions < MOST_QUESTIONS ? invocation.coverage : undefined;
    const next = await this.#judge({ call, tool, invocation, covers }, outdated);
    return typeof next === "object" && "changed" in next
      ? this.#decide(call, tool, params, next, questions + 1)
      : next;
  }

  /** Exactly one of the invocation's `run` and `discard` is called. */
  async #judge(
    { call, tool, invocation, covers }: Considered,
    outdated?: OutdatedApproval,
  ): Promise<Next | OutdatedApproval> {
    const { approvals, checkpoints, conversation, host, judge } = this.#o;
    const { allowances } = approvals;
    let runs = false;
    try {
      await allowances.refresh();
      const permission = await judge.permission(tool, allowances.judged(invocation), conversation.mode);
      const protection = await protectionOf(host, checkpoints, invocation);
      const prepared = { call, tool, invocation, permission, protection };
      const allowed = await this.#allowed(prepared, outdated);
      if ("next" in allowed) return allowed.next;
      const changed = allowed.isAsked ? await covers?.changed() : undefined;
      if (changed && changed.length > 0) return { changed, comment: allowed.comment };
      runs = true;
      return await this.#run(prepared, allowed);
    } finally {
      if (!runs) await invocation.discard?.();
    }
  }

  /** What the user decided, if the call may run; otherwise what follows, after its result was appended. */
  async #allowed(prepared: PreparedCall, outdated?: OutdatedApproval): Promise<Allowed | { next: Next }> {
    const { call, tool, invocation, permission, protection } = prepared;
    if (permission.verdict === "deny") {
      await this.results.denied(call, permission.reason);
      return { next: "next" };
    }
    const asks =
      permission.verdict === "ask" || invocation.alwaysAsks || protection?.asks || this.#asksAgain(tool);
    if (!asks) return { comment: undefined, isAsked: false };
    const { approved, comment, left } = await askUser(prepared, this.#o, this.#signal, outdated);
    if (!approved) {
      await this.results.rejected(call, comment);
      return { next: "rejected" };
    }
    // The mode may have changed while the call waited: plan mode applies from that moment.
    if (this.#mayRun(tool)) return { comment, isAsked: true, ...(left ? { left } : {}) };
    await this.results.refusedInMode(call, tool);
    return { next: "next" };
  }

  /** The tasks of a found call ask by themselves. */
  #asksAgain({ sideBySide = false }: Tool): boolean {
    return this.#o.askAgain && !sideBySide;
  }

  async #run(prepared: PreparedCall, { comment, left }: Allowed): Promise<Next> {
    const { call, tool } = prepared;
    const allowed = {
      ...prepared,
      ...(left ? { left } : {}),
      isFound: this.#o.askAgain,
      propose: (change: Invocation) => propose({ call, tool }, change, this.#o, this.#signal),
    };
    const run = await startCall(allowed, this.#o, this.#signal);
    let output: ToolOutput;
    try {
      output = fromOutside(await run(), tool);
    } catch (error) {
      if (error instanceof Interrupt) throw error;
      await this.results.threw(call, error);
      return "next";
    }
    this.#count(call, tool, output);
    if (comment !== undefined) {
      output.parts.push({ type: "text", text: replies.approvedWith(comment) });
      output.shown = { ...output.shown, comment };
    }
    await this.results.ran(call, output);
    if (output.follow?.type === "new-task") return { type: "handed-over", context: output.follow.text };
    if (output.follow?.type === "condense") this.#o.condense(output.follow.text);
    return "next";
  }

  /** Counts repeated calls, and tells the model about those that succeed. */
  #count(call: ToolCallBlock, tool: Tool, output: ToolOutput): void {
    const { limits } = this.#o;
    if (output.failed) {
      limits.failed(call, JSON.stringify(output.parts));
      return;
    }
    limits.succeeded();
    const times = tool.polls ? 1 : limits.repeated(call, tool.access, output.parts);
    if (times < NUDGE_AT) return;
    const text = tool.access === "edit" ? replies.editedAgain(times) : replies.repeated(times);
    output.parts.push({ type: "text", text });
  }
}
