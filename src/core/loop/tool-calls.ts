/**
 * The calls of one message: prepared, judged, approved, run, answered. Each result is on disk before anything else
 * happens. Reading calls next to each other run side by side; changing ones in order.
 */
import type { ApprovalView, EventBody } from "../../shared/event.ts";
import type { Mode, ToolCallBlock } from "../../shared/message.ts";
import { type Reason, reasonOf } from "../../shared/reason.ts";
import type { Settings } from "../../shared/settings.ts";
import type { Checkpoints } from "../checkpoints/checkpoints.ts";
import { cleanTodo } from "../context/focus-chain.ts";
import { Interrupt, messageOf, ToolError, throwIfAborted } from "../errors.ts";
import { removedKey } from "../key-mask.ts";
import type { Host } from "../ports/host.ts";
import * as replies from "../prompts/replies.ts";
import { boundParts } from "../tools/bound.ts";
import type { ToolSet } from "../tools/set/tool-set.ts";
import type { CallStream, Invocation, Tool, ToolContext, ToolOutput } from "../tools/tool.ts";
import type { Approvals } from "./approvals.ts";
import { explain } from "./explain/explain.ts";
import type { Limits } from "./limits.ts";
import type { GoingOn } from "./move-to-background.ts";
import type { Judge, Permission } from "./permission.ts";
import { otherReason, type Protection, protectionOf } from "./protection.ts";
import { nudgeAt } from "./repeats.ts";
import { closedResult, resultMessage } from "./results.ts";
import type { RunEnd } from "./run-end.ts";
import type { Transcript } from "./transcript.ts";

export interface CallsOptions {
  host: Host;
  settings(): Settings;
  registry: ToolSet;
  conversation: Transcript;
  approvals: Approvals;
  goingOn: GoingOn;
  judge: Judge;
  limits: Limits;
  checkpoints?: Checkpoints;
  context: ToolContext;
  /** Previews that began to grow while the calls streamed. */
  streams: Map<string, CallStream>;
  /** Calls that were waiting when the window closed ask again, whatever the settings allow. */
  askAgain: boolean;
  /** The message holds calls that could not be read: it does not end the turn before they are answered. */
  holdsUnread: boolean;
  /** The person accepted a summary in place of the conversation so far. */
  condense(summary: string): void;
}

type Change = Awaited<ReturnType<Checkpoints["begin"]>>;

interface Prepared {
  call: ToolCallBlock;
  tool: Tool;
  invocation: Invocation;
  permission: Permission;
  protection: Protection | undefined;
}

/** Runs them; undefined: the model goes on. */
export async function runCalls(
  calls: readonly ToolCallBlock[],
  options: CallsOptions,
  signal: AbortSignal,
): Promise<RunEnd | undefined> {
  const run = new CallRun(options, signal);
  try {
    for (let i = 0; i < calls.length; i++) {
      const call = calls[i];
      if (!call) break;
      const batch = run.readingBatch(calls.slice(i));
      if (batch.length > 1) {
        await Promise.all(batch.map((reading) => run.one(reading)));
        i += batch.length - 1;
        continue;
      }
      const end = await run.one(call);
      if (end === "next") continue;
      const why = end === "rejected" ? "rejected-before" : "turn-over";
      for (const rest of calls.slice(i + 1)) await run.close(rest, why);
      if (end === "rejected") return undefined;
      return end;
    }
    return undefined;
  } finally {
    await run.abandonStreams();
  }
}

class CallRun {
  readonly #o: CallsOptions;
  readonly #signal: AbortSignal;

  constructor(options: CallsOptions, signal: AbortSignal) {
    this.#o = options;
    this.#signal = signal;
  }

  get #mode(): Mode {
    return this.#o.conversation.mode;
  }

  #emit(event: EventBody): void {
    this.#o.conversation.emit(event);
  }

  /** Leading calls that only read and need nobody's yes; judged one by one again when they run. */
  readingBatch(calls: readonly ToolCallBlock[]): ToolCallBlock[] {
    const end = calls.findIndex(
      (call) => this.#o.registry.find(call.name)?.access !== "read" || call.partial,
    );
    return this.#o.askAgain || !this.#o.settings().approval.read
      ? []
      : calls.slice(0, end < 0 ? calls.length : end);
  }

  /** Takes one call to its result. */
  async one(call: ToolCallBlock): Promise<"next" | "rejected" | RunEnd> {
    throwIfAborted(this.#signal);
    const { registry, streams, limits } = this.#o;
    const resolved = registry.resolve(call);
    if (!resolved.ok) return this.#fail(call, resolved.error, call.partial ? "not-run" : "failed");
    const { tool, params, progress } = resolved;
    if (progress !== undefined) await this.#o.conversation.setTodo(cleanTodo(progress));
    if (!this.#mayRun(tool)) return this.#refuseInMode(call, tool);
    if (tool.turnEnd) {
      if (this.#o.holdsUnread) return this.#fail(call, replies.notRun.unread, "not-run");
      if (tool.turnEnd === "planned" && params.needs_more_exploration === true) {
        await this.#answer(call, { parts: [{ type: "text", text: replies.exploreMore }] });
        return "next";
      }
      limits.succeeded();
      this.#emit({ type: "call-done", callId: call.id, outcome: "done" });
      return { type: tool.turnEnd };
    }
    const writes = tool.access === "edit" || tool.access === "command" || tool.access === "mcp";
    if (writes && JSON.stringify(params).includes(removedKey))
      return this.#fail(call, replies.holdsRemovedKey(removedKey), "failed");
    let invocation: Invocation;
    try {
      const stream = streams.get(call.id);
      invocation = await tool.prepare(params, this.#o.context, stream);
      streams.delete(call.id);
    } catch (error) {
      if (error instanceof Interrupt) throw error;
      return this.#fail(call, this.#explain(error), "failed");
    }
    let settled = false;
    try {
      const permission = await this.#o.judge.permission(tool, invocation, this.#mode);
      const protection = await protectionOf(this.#o.host, this.#o.checkpoints, invocation.command);
      const outcome = await this.#decide({ call, tool, invocation, permission, protection }, () => {
        settled = true;
      });
      return outcome;
    } finally {
      if (!settled) await invocation.discard?.();
    }
  }

  #mayRun(tool: Tool): boolean {
    if (!tool.modes.includes(this.#mode)) return false;
    return this.#mode === "act" || tool.access === "read" || tool.access === "web" || tool.access === "talk";
  }

  async #decide(prepared: Prepared, running: () => void): Promise<"next" | "rejected" | RunEnd> {
    const { call, tool, permission } = prepared;
    if (permission.verdict === "deny") return this.#refuse(call, permission.reason);
    let comment: string | undefined;
    const { alwaysAsks } = prepared.invocation;
    if (permission.verdict === "ask" || alwaysAsks || prepared.protection?.asks || this.#o.askAgain) {
      const decision = await this.#ask(prepared);
      comment = decision.comment;
      if (!decision.approved) {
        const shown = comment === undefined ? {} : { comment };
        await this.#o.conversation.append(
          resultMessage(
            this.#o.host,
            this.#o.registry,
            call,
            "rejected",
            [{ type: "text", text: replies.rejected(comment) }],
            shown,
          ),
        );
        return "rejected";
      }
      // The mode may have changed while the call waited: plan mode holds from that moment.
      if (!this.#mayRun(tool)) return this.#refuseInMode(call, tool);
    }
    running();
    return this.#run(prepared, comment);
  }

  async #ask({
    call,
    tool,
    invocation,
    permission,
    protection,
  }: Prepared): Promise<{ approved: boolean; comment: string | undefined }> {
    const { always: _, ...view } = invocation.view;
    const { host } = this.#o;
    const other = permission.verdict === "allow" ? otherReason(protection, invocation) : undefined;
    const approval: ApprovalView = {
      callId: call.id,
      access: tool.access,
      reason: other ?? permission.reason,
      ...view,
      ...(protection && protection.notKept.length > 0 ? { notKept: protection.notKept } : {}),
      ...(permission.realPath === undefined ? {} : { realPath: permission.realPath }),
      ...(permission.always === undefined ? {} : { always: permission.always }),
    };
    const subject = { access: tool.access, invocation, mode: this.#mode };
    const why = () => explain(host, { settings: this.#o.settings(), subject, ignoring: true }, other);
    const decision = this.#o.approvals.wait(call.id, this.#signal, { always: permission.always, why });
    this.#emit({ type: "approval", callId: call.id, approval });
    this.#emit({ type: "status", status: "approval" });
    return decision;
  }

  async #run(
    { call, tool, invocation, protection }: Prepared,
    comment: string | undefined,
  ): Promise<"next" | RunEnd> {
    const keeping = this.#keepBefore(call.id, tool, invocation, protection);
    await this.#markStarted(call.id, keeping);
    this.#emit({ type: "call-running", callId: call.id });
    // Reading calls run side by side: another one may still wait for its answer.
    const waits = this.#o.approvals.first !== undefined;
    this.#emit({ type: "status", status: waits ? "approval" : "running" });
    let output: ToolOutput;
    try {
      output = await this.#runKept(call.id, keeping, invocation);
    } catch (error) {
      if (error instanceof Interrupt) throw error;
      return this.#fail(call, this.#explain(error), "failed");
    }
    if (output.failed) this.#o.limits.failed(call);
    else {
      this.#o.limits.succeeded();
      const times = tool.polls ? 1 : this.#o.limits.repeated(call, tool.access, output.parts);
      if (times >= nudgeAt) output.parts.push({ type: "text", text: replies.repeated(times) });
    }
    if (comment !== undefined) {
      output.parts.push({ type: "text", text: replies.approvedWith(comment) });
      output.shown = { ...output.shown, comment };
    }
    await this.#answer(call, output);
    if (output.follow?.type === "new-task") return { type: "handed-over", context: output.follow.text };
    if (output.follow?.type === "condense") this.#o.condense(output.follow.text);
    return "next";
  }

  /** Two files of ours are written for a call before it runs, both at once: what it will change is kept meanwhile. */
  async #markStarted(callId: string, keeping: Promise<Change | undefined>): Promise<void> {
    try {
      await this.#o.conversation.markStarted(callId);
    } catch (error) {
      await keeping.then((change) => change?.end()).catch(() => undefined);
      throw error;
    }
  }

  #keepBefore(
    callId: string,
    tool: Tool,
    invocation: Invocation,
    protection: Protection | undefined,
  ): Promise<Change | undefined> {
    const written = invocation.paths.filter(({ access }) => access === "write").map(({ path }) => path);
    const anything = invocation.command !== undefined || tool.access === "mcp";
    const destroys = protection ? { destroys: protection.destroys } : {};
    const call = { callId, paths: written, anything, ...destroys };
    const keeping = Promise.resolve(this.#o.checkpoints?.begin(call));
    // Whoever waits for it is told.
    keeping.catch(() => undefined);
    return keeping;
  }

  /** What it changes is kept as it was before and as it is after. */
  async #runKept(
    callId: string,
    keeping: Promise<Change | undefined>,
    invocation: Invocation,
  ): Promise<ToolOutput> {
    const change = await keeping;
    const output = this.#o.conversation.keys.stream((delta) => this.#emit({ type: "output", callId, delta }));
    try {
      return await invocation.run({
        signal: this.#signal,
        goOn: this.#o.goingOn.begin(callId),
        onOutput: (text) => output.push(text),
      });
    } finally {
      output.end();
      this.#o.goingOn.end(callId);
      change?.end();
    }
  }

  async #answer(call: ToolCallBlock, output: ToolOutput): Promise<void> {
    const { host, registry, conversation } = this.#o;
    const outcome = output.failed ? "failed" : "done";
    const parts = boundParts(output.parts, this.#o.settings().context.maxResultCharacters);
    const message = resultMessage(host, registry, call, outcome, parts, output.shown, output.removed);
    await conversation.append(message);
  }

  #refuse(call: ToolCallBlock, reason: Reason): Promise<"next"> {
    return this.#fail(call, replies.denied(reason), "failed", reason);
  }

  #refuseInMode(call: ToolCallBlock, tool: Tool): Promise<"next"> {
    const mode = this.#mode;
    const reason = reasonOf(mode === "plan" ? "plan-mode" : "plan-mode-only");
    return this.#fail(call, replies.refusedInMode(tool.name, mode), "failed", reason);
  }

  async #fail(
    call: ToolCallBlock,
    error: string,
    outcome: "failed" | "not-run",
    reason?: Reason,
  ): Promise<"next"> {
    const { host, registry, conversation, limits } = this.#o;
    limits.failed(call);
    const parts = boundParts(
      [{ type: "text" as const, text: error }],
      this.#o.settings().context.maxResultCharacters,
    );
    await conversation.append(
      resultMessage(host, registry, call, outcome, parts, { text: error, ...(reason ? { reason } : {}) }),
    );
    return "next";
  }

  /** A ToolError is written for the model; anything else is a fault of ours or of the machine, and logged as well. */
  #explain(error: unknown): string {
    if (!(error instanceof ToolError)) this.#o.host.log.error("a tool failed", error);
    return messageOf(error);
  }

  async close(call: ToolCallBlock, why: "rejected-before" | "turn-over"): Promise<void> {
    const { host, registry, conversation } = this.#o;
    await conversation.append(closedResult(host, registry, call, why));
  }

  async abandonStreams(): Promise<void> {
    for (const stream of this.#o.streams.values()) await stream.abandon();
    this.#o.streams.clear();
  }
}
