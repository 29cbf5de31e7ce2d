/**
 * One turn, from top to bottom. The loop asks the model. Each call of the answer is prepared, judged, approved, run and recorded;
 * then the loop asks again, until it is the user's turn. Its whole state is the transcript, so it can end at any point and continue
 * after a Stop, a failed request or a crash.
 */
import { type Message, type ShownResult, type ToolCallBlock, unansweredCalls } from "../../shared/message.ts";
import type { ErrorView } from "../../shared/models/request-error.ts";
import { approvalWith, exceptionFor } from "../../shared/permission/session-permission.ts";
import { type Reason, reasonOf } from "../../shared/reason.ts";
import type { SessionAgent } from "../../shared/session-agent.ts";
import type { SessionCheckpoints } from "../checkpoints/checkpoints.ts";
import { cleanTodo } from "../context/focus-chain.ts";
import { PromptFailure } from "../context/server-prompts.ts";
import { Interrupt, messageOf, NothingToDo, ProviderError, throwIfAborted } from "../errors.ts";
import { REMOVED_KEY } from "../key-mask.ts";
import type { ProjectMemory } from "../memory/project-memory.ts";
import type { Host } from "../ports/host.ts";
import * as replies from "../prompts/replies.ts";
import type { ModelAccess } from "../provider/model-access.ts";
import type { ProjectServers } from "../servers/project-servers.ts";
import { SessionTakenOver } from "../sessions/open/claims.ts";
import { NotSaved } from "../sessions/problems.ts";
import type { FileWriters } from "../tools/editing/file-writers.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import type { RequiredOutput } from "../tools/set/required-output.ts";
import type { TaskTools } from "../tools/set/task-tools.ts";
import type { ToolSwitches } from "../tools/switches/tool-switches.ts";
import type {
  ChildTasks,
  Invocation,
  PathUse,
  ProposalOutcome,
  Tool,
  ToolContext,
  ToolOutput,
  TurnEnd,
} from "../tools/tool.ts";
import { isEmpty } from "./answer.ts";
import type { Approvals, Decision } from "./calls/approvals.ts";
import { askUser, type OutdatedApproval } from "./calls/ask-user.ts";
import type { BackgroundCommands, ForegroundCalls } from "./calls/background-list.ts";
import { CallResults, fromOutside } from "./calls/call-results.ts";
import type { Judge } from "./calls/permission.ts";
import { protectionOf } from "./calls/protection.ts";
import { type PreparedCall, runProposed, startCall } from "./calls/run-call.ts";
import type { ServerForms } from "./calls/server-forms.ts";
import { BrokenAnswers } from "./limits/broken-answers.ts";
import { countsDays, type Limit, type Limits } from "./limits/limits.ts";
import { NUDGE_AT } from "./limits/repeats.ts";
import { hasMalformedCall, malformedCallReply } from "./malformed-calls.ts";
import type { NotebookTools } from "./notebook-tools.ts";
import { reportOnPlan } from "./plan/plan-check.ts";
import type { CondensingHooks, ModelRequests } from "./request.ts";
import { closedResult, hasFailedCall } from "./results.ts";
import type { TaskAgent } from "./task-agent.ts";
import type { TaskRules } from "./task-rules.ts";
import { prepareServers, tooMany } from "./task-servers.ts";
import type { Transcript } from "./transcript.ts";
import type { PendingInput, UserContent, UserTurns } from "./turn.ts";

/** How a turn ends. */
export type RunEnd =
  /** A call ended the turn: the user's next message is its result. */
  | { type: "completed" | "asked" | "planned" }
  /** The model answered without a call. */
  | { type: "replied" }
  /** A limit has been reached, and the user decides whether the task continues. */
  | { type: "limit"; limit: Limit }
  /** The user stopped the turn, or the host ended. */
  | { type: "stopped" }
  /** An error ended the turn. `awaitsUser`: the session was restored, and the user has to continue it. */
  | { type: "failed"; awaitsUser?: true }
  /** The user accepted a new task that begins with `context`. */
  | { type: "handed-over"; context: string };

/** What a run of the loop is for. */
export type Intent =
  /** Continue the conversation. `reapprove`: calls that waited ask again, whatever the settings allow. */
  | { type: "continue"; reapprove?: boolean }
  /** The user asked to condense it; `display` is what they typed. */
  | { type: "condense"; focus: string; display: string };

/** The next step of a conversation. */
export type Move =
  /** The last answer's calls have no results yet. */
  | { type: "calls"; calls: ToolCallBlock[] }
  /** The last answer was cut off or contains a malformed call, and the model must be told. */
  | { type: "correct"; why: "cut-off" | "malformed-call" }
  /**
   * Request an answer from the model; the last one may have been empty. `afterResults`: what is new of the environment comes
   * first.
   */
  | { type: "ask"; afterResults: boolean }
  /** It is the user's turn. */
  | { type: "rest" };

/** What follows a call: the next call, no further call because the user rejected this one, or the end of the turn. */
type Next = "next" | "rejected" | RunEnd;

/** How often the user is asked about one call at most. They are asked again if files changed while the call waited. */
const MAX_QUESTIONS = 4;

/** The user's hooks, as the loop runs them. Each rejects with Interrupt when the signal aborts. */
export interface LoopHooks extends CondensingHooks {
  /** Called at the beginning of each turn. */
  begin(signal: AbortSignal): Promise<void>;
  /** What the model has to read before a message of the user. Rejects with PromptFailure if a hook blocks the message. */
  admit(text: string, signal: AbortSignal): Promise<string[]>;
  /** Before a call is prepared. */
  beforeCall(requested: RequestedCall, signal: AbortSignal): Promise<Refusal | CallRuling | undefined>;
  /** Before the user is asked about a call. allow: it runs unless something else asks. */
  permission(requested: RequestedCall, signal: AbortSignal): Promise<Refusal | "allow" | undefined>;
  /** The user is about to be asked. Nothing waits for these hooks. */
  asks(tool: string, signal: AbortSignal): void;
  /** After a call that ran. May change its result. */
  afterCall(requested: RequestedCall, output: ToolOutput, signal: AbortSignal): Promise<void>;
  /** After a call that ended with an error. What the model has to read with it; "" for nothing. */
  afterFailure(requested: RequestedCall, error: unknown, signal: AbortSignal): Promise<string>;
  /** The turn is about to end with this answer. A reason to continue, for the model; undefined: it ends. */
  keepsWorking(answer: string, signal: AbortSignal): Promise<string | undefined>;
}

/** What a task gets from its session. */
export interface TaskDeps extends ModelAccess {
  host: Host;
  registry: ToolRegistry;
  conversation: Transcript;
  approvals: Approvals;
  foregroundCalls: ForegroundCalls;
  /** Default: commands that continue in the background are not tracked. */
  background?: BackgroundCommands;
  serverForms: ServerForms;
  servers?: ProjectServers;
  /** What the user chose about tools. Default: all that are registered are offered. */
  toolSwitches?: Pick<ToolSwitches, "begin">;
  judge: Judge;
  limits: Limits;
  checkpoints?: SessionCheckpoints;
  queue: PendingInput;
  /** The form that final answers must have; absent: any text. */
  output?: RequiredOutput;
  /** Nobody can retry, so an answer that breaks off or is empty is requested again. */
  unattended?: boolean;
  /** What requests cost today. Default: not known. */
  spending?: { today(): Promise<{ cost: number; requests: number }> };
  /** Which tasks wrote files; absent: this task is the only one. */
  writers?: FileWriters;
  /** What is remembered about the project. Default: nothing. */
  memory?: ProjectMemory;
  /** The tasks that this one starts; absent: it cannot start any. */
  children?: ChildTasks;
  /** Limits how many tasks work at once; absent: any number. `onWait` is called if this one has to wait. */
  slots?: { take(session: string, signal: AbortSignal, onWait: () => void): Promise<void> };
  /** Run before each call, after the loop's own entries. */
  beforeCall?: readonly BeforeCall[];
  /** Run after each call that ran, after the loop's own entries. */
  afterCall?: readonly AfterCall[];
  /** The user's hooks; absent: none run. */
  hooks?: LoopHooks;
  /** The agents of the task that started this one. Default: the user started it. */
  parentAgents?: () => readonly SessionAgent[];
  random(): number;
}

/** `TaskDeps`, and what the task keeps from turn to turn. */
export interface LoopDeps extends TaskDeps, CallScope {
  notebooks: NotebookTools;
  rules: TaskRules;
  requests: ModelRequests;
  turns: UserTurns;
  /** Resolves when the task may work. It may until its turn ends or waits for the user. Rejects with Interrupt. */
  takeSlot(signal: AbortSignal): Promise<void>;
}

/** A call that the model requested, with valid parameters. */
export interface RequestedCall {
  call: ToolCallBlock;
  tool: Tool;
  params: Record<string, unknown>;
  answer: RequestedCalls;
  /** What it changes or runs, for a tool that does not know that before the call is prepared. */
  prepared?: { files?: readonly PathUse[]; command?: string };
  /** What the user's hooks say about it. */
  ruling?: CallRuling;
}

/** The calls of one answer that had no result when the loop reached them. */
export interface RequestedCalls {
  calls: readonly ToolCallBlock[];
  /** The answer also contains malformed calls, so none of its calls ends the turn before the model has been told about those. */
  hasMalformedCall: boolean;
}

/** What runs before and after calls may use. */
export interface CallScope {
  conversation: Transcript;
  limits: Limits;
  /** The tools that the prompt describes. They change only when a turn begins, and once when the task meets a notebook. */
  tools: TaskTools;
  /** Changes only when a turn begins. */
  agent: TaskAgent;
  /** Its signal aborts when the turn is stopped. */
  context: ToolContext;
}

/** Why a call does not run. It counts as a mistake of the model. */
export interface Refusal {
  /** The call's result, for the model. */
  text: string;
  /** Default: "failed". */
  outcome?: "failed" | "not-run";
  /** For the user, in place of the text. */
  reason?: Reason;
}

/** What changes how a call is decided, without refusing it. */
export interface CallRuling {
  /** In place of the call's parameters. They are validated, judged and shown like those of the model. */
  params?: Record<string, unknown>;
  /** The user is asked, whatever the settings allow. */
  asks?: Reason;
  /** The call is judged as if the settings let calls of its kind run without asking. What asks even then asks. */
  isAllowed?: true;
}

/** Runs before a call is prepared. undefined: the call continues. */
export type BeforeCall = (
  requested: RequestedCall,
  scope: CallScope,
) => Refusal | undefined | Promise<Refusal | undefined>;

/**
 * Runs after a call, before its result is stored; may add to the result. Not called for calls that did not run or that threw an
 * error.
 */
export type AfterCall = (
  requested: RequestedCall,
  output: ToolOutput,
  scope: CallScope,
) => void | Promise<void>;

/** The user's decision about a call that may run. */
type Approval = Omit<Decision, "approved"> & { isAsked: boolean };

/** What may refuse a call, in this order; the first refusal is the call's result. */
const BEFORE_CALL: readonly BeforeCall[] = [
  agentTools,
  planMode,
  oncePerMessage,
  exclusions,
  malformedSiblings,
  failedSiblings,
  removedKeys,
];

/** What follows a call that ran, in this order. */
const AFTER_CALL: readonly AfterCall[] = [repeats];

/** One run of the loop. */
export class Loop {
  readonly signal: AbortSignal;
  readonly #deps: LoopDeps;
  readonly #intent: Intent;
  readonly #results: CallResults;
  /** Calls that were waiting when the window closed ask again, whatever the settings allow. */
  #reapprove: boolean;
  /** Aborts the answer that is being received; undefined: none is. */
  #answering: AbortController | undefined;

  constructor(deps: LoopDeps, intent: Intent, signal: AbortSignal) {
    this.#deps = deps;
    this.#intent = intent;
    this.signal = signal;
    this.#reapprove = intent.type === "continue" && intent.reapprove === true;
    this.#results = new CallResults({ ...deps, registry: deps.tools });
  }

  get reapproves(): boolean {
    return this.#reapprove;
  }

  /** Ends the answer that is being received, so that the queued messages are read now. */
  endAnswer(): void {
    this.#answering?.abort();
  }

  /** Runs until it is the user's turn. Never rejects: an error becomes an error row. */
  async runTurn(): Promise<RunEnd> {
    const { hooks, requests, rules } = this.#deps;
    try {
      await hooks?.begin(this.signal);
      await rules.begin(this.signal);
      await this.#updateTools();
      rules.notify();
      if (this.#intent.type === "continue") return await this.#steps();
      await this.#deps.takeSlot(this.signal);
      await requests.condense(this.#intent, this.signal);
      return { type: "replied" };
    } catch (error) {
      if (error instanceof Interrupt || this.signal.aborted) return { type: "stopped" };
      this.#report(error);
      return { type: "failed" };
    } finally {
      await requests.abandonStreams();
      this.#reapprove = false;
    }
  }

  /** Applies changes of the tool registry. At no other point do they change the prompt; see also `#offerCells`. */
  async #updateTools(): Promise<void> {
    const { agent, conversation, host, notebooks, registry, requests, tools, toolSwitches } = this.#deps;
    agent.begin(await toolSwitches?.begin());
    notebooks.begin(conversation.messages);
    tools.narrow([...agent.limits, ...notebooks.limits]);
    await prepareServers(this.#deps, this.signal);
    const isOffered = registry.servers.length > 0;
    const contextWindow = isOffered ? await requests.contextWindow(this.signal) : 0;
    const change = tools.take((offered) => tooMany(offered, contextWindow));
    if (!change) return;
    const [added, removed] = [change.added, change.removed].map((names) => names.join(", ") || "none");
    host.log.info(`the tools changed, and the prompt with them: added ${added}, removed ${removed}`);
  }

  /** Offers the tools for notebooks from the next request on, once a call of the turn used a notebook. */
  #offerCells(): void {
    const { agent, context, host, notebooks, tools } = this.#deps;
    if (!notebooks.used(context.seen.keys())) return;
    if (tools.narrow([...agent.limits, ...notebooks.limits]))
      host.log.info("the task uses a notebook, so its tools are offered, and the prompt changes");
  }

  /** Performs the conversation's next step until it is the user's turn. */
  async #steps(): Promise<RunEnd> {
    const { conversation, limits, tools } = this.#deps;
    let isCut = false;
    const brokenAnswers = new BrokenAnswers(this.#deps);
    for (;;) {
      const { messages } = conversation;
      const hasMalformed = hasMalformedCall(messages, tools);
      const move = nextMove(messages, hasMalformed);
      if (move.type === "calls") {
        const end = await this.#runCalls({ calls: move.calls, hasMalformedCall: hasMalformed });
        if (end) return end;
        continue;
      }
      if (messages.at(-1)?.role !== "user") limits.answer(hasMalformed);
      const end = await this.#beforeRequest(move, isCut);
      if (end) return end;
      isCut = await brokenAnswers.request(() => this.#ask(), this.signal);
    }
  }

  /** Appends what the model has to read before its next answer. Returns how the turn ends, if no answer is requested. */
  async #beforeRequest(move: Exclude<Move, { type: "calls" }>, isCut: boolean): Promise<RunEnd | undefined> {
    const corrections = this.#corrections(move, isCut) ?? (await this.#hookCorrections(move));
    if (corrections) await this.#append(corrections);
    else if (move.type === "rest") return { type: "replied" };
    const limit = await this.#limit();
    if (limit) return { type: "limit", limit };
    if (move.type === "ask" && (move.afterResults || isCut)) await this.#append(this.#malformedCallReply());
    return undefined;
  }

  /** Returns the limit that has been reached, and notifies the user of it; undefined: none, and the next request is counted. */
  async #limit(): Promise<Limit | undefined> {
    const { conversation, host, limits, requests, settings, spending } = this.#deps;
    const caps = { ...settings().approval, managed: host.policy };
    const today = (countsDays(caps) ? await spending?.today() : undefined) ?? { cost: 0, requests: 0 };
    const next = () => requests.forecast("");
    const limit = limits.next(caps, { task: conversation.totals.cost ?? 0, today, next });
    if (limit) conversation.emit({ type: "notice", id: host.newId(), ...limit });
    return limit;
  }

  /**
   * Asks the model for one answer and stores it. Returns true if `endAnswer` ended the answer. In that case none of its calls ran, and each
   * has a result with the reason.
   */
  async #ask(): Promise<boolean> {
    const { conversation, host, requests, tools } = this.#deps;
    this.#offerCells();
    const answering = new AbortController();
    this.#answering = answering;
    const either = AbortSignal.any([this.signal, answering.signal]);
    try {
      await this.#deps.takeSlot(either);
      await requests.send(either);
      return false;
    } catch (error) {
      const isCut = answering.signal.aborted && !this.signal.aborted && error instanceof Interrupt;
      if (!isCut) throw error;
      await requests.abandonStreams();
      for (const call of conversation.unansweredCalls())
        await conversation.append(closedResult(host, tools, call, "user-replied"));
      return true;
    } finally {
      this.#answering = undefined;
    }
  }

  /** Runs the calls of the last answer. Returns how the turn ends then, if it does. */
  async #runCalls(answer: RequestedCalls): Promise<RunEnd | undefined> {
    const { approvals, conversation, host, requests } = this.#deps;
    const reapprove = this.#reapprove;
    const { decided } = approvals;
    const end = await this.#runInOrder(answer);
    await requests.abandonStreams();
    this.#reapprove = false;
    if (end || !reapprove || approvals.decided > decided) return end;
    // No call of the restored session asked, so the user has not continued it yet. Only they may send its next request.
    conversation.emit({ type: "notice", id: host.newId(), code: "interrupted" });
    return { type: "failed", awaitsUser: true };
  }

  /**
   * Runs one call after another, except that adjacent calls that only read, or that start tasks, run in parallel. Each result is on
   * disk before anything else happens. undefined: the model continues.
   */
  async #runInOrder(answer: RequestedCalls): Promise<RunEnd | undefined> {
    const { calls } = answer;
    for (let i = 0; i < calls.length; i++) {
      const call = calls[i];
      if (!call) break;
      const batch = this.#parallelPrefix(calls.slice(i));
      if (batch.length > 1) {
        await Promise.all(batch.map((each) => this.#runCall(each, answer)));
        i += batch.length - 1;
        continue;
      }
      const next = await this.#runCall(call, answer);
      if (next === "next") continue;
      const why = next === "rejected" ? "rejected-before" : "turn-over";
      for (const rest of calls.slice(i + 1)) await this.#results.closed(rest, why);
      return next === "rejected" ? undefined : next;
    }
    return undefined;
  }

  /** Leading calls that need no approval and may run in parallel; each is judged again when it runs. */
  #parallelPrefix(calls: readonly ToolCallBlock[]): ToolCallBlock[] {
    const { settings, tools } = this.#deps;
    const now = settings();
    const mayAsk = (name: string) =>
      this.#reapprove || !approvalWith(now.approval, "read", exceptionFor(now, name, undefined)).read;
    const end = calls.findIndex((call) => {
      const tool = tools.find(call.name);
      if (tool?.sideBySide && !call.partial) return false;
      return tool?.access !== "read" || call.partial || mayAsk(tool.name);
    });
    return calls.slice(0, end < 0 ? calls.length : end);
  }

  /** Processes one call up to its result. */
  async #runCall(call: ToolCallBlock, answer: RequestedCalls): Promise<Next> {
    throwIfAborted(this.signal);
    const { tools, conversation } = this.#deps;
    const resolved = tools.resolve(call);
    if (!resolved.ok) {
      const outcome = call.partial ? "not-run" : "failed";
      return this.#refuse(call, { text: resolved.error, outcome });
    }
    const { tool, params, progress } = resolved;
    if (progress !== undefined) await conversation.setTodo(cleanTodo(progress));
    const requested: RequestedCall = { call, tool, params, answer };
    const refusal = (await this.#refusal(requested)) ?? (await this.#hookRefusal(requested));
    if (refusal) return this.#refuse(call, refusal);
    return tool.turnEnd ? this.#endTurn(requested, tool.turnEnd) : this.#perform(requested);
  }

  /** The first refusal of a call; undefined: it may be prepared. */
  async #refusal(requested: RequestedCall): Promise<Refusal | undefined> {
    const { beforeCall = [] } = this.#deps;
    for (const refusalOf of [...BEFORE_CALL, ...beforeCall]) {
      const refusal = await refusalOf(requested, this.#deps);
      if (refusal) return refusal;
    }
    // The user may have stopped the turn while an entry of the host worked.
    if (beforeCall.length > 0) throwIfAborted(this.signal);
    return undefined;
  }

  /** What the user's hooks refuse. Otherwise their ruling becomes part of the call. */
  async #hookRefusal(requested: RequestedCall): Promise<Refusal | undefined> {
    const { hooks } = this.#deps;
    if (requested.tool.knownWhenPrepared && !requested.prepared) return undefined;
    const ruling = await hooks?.beforeCall(requested, this.signal);
    if (!ruling) return undefined;
    throwIfAborted(this.signal);
    if ("text" in ruling) return ruling;
    requested.ruling = ruling;
    if (!ruling.params) return undefined;
    requested.params = ruling.params;
    this.#showSubject(requested, requested.tool.subject(ruling.params));
    return undefined;
  }

  /** In place of the subject by the parameters of the model. */
  #showSubject({ call, tool }: RequestedCall, subject: string): void {
    const { conversation } = this.#deps;
    const messageId = conversation.messages.at(-1)?.id ?? "";
    conversation.emit({ type: "call", messageId, callId: call.id, tool: tool.name, subject });
  }

  async #refuse(call: ToolCallBlock, { text, ...how }: Refusal): Promise<"next"> {
    await this.#results.failed(call, text, how);
    return "next";
  }

  /**
   * Ends the turn, so that the user's next message becomes the call's result, unless the tool itself supplies one
   * (`continuation`).
   */
  async #endTurn({ call, tool, params }: RequestedCall, end: TurnEnd): Promise<Next> {
    const { conversation, limits, output } = this.#deps;
    const reply = tool.continuation?.(params);
    if (reply !== undefined) {
      await this.#results.ran(call, { parts: [{ type: "text", text: reply }] });
      return "next";
    }
    const misfit = output?.ofCall(tool, params);
    if (misfit !== undefined) {
      await this.#results.failed(call, replies.misfitCall(tool.name, misfit));
      output?.refuse(misfit);
      return "next";
    }
    if (end === "completed" && (await this.#reportOnPlan(call))) return "next";
    limits.succeeded();
    conversation.emit({ type: "call-done", callId: call.id, outcome: "done" });
    return { type: end };
  }

  /**
   * Shows how the task's changes differ from the plan that it carries out. True: something is missing, which the model learns from the
   * result of the call, and the turn continues.
   */
  async #reportOnPlan(completion: ToolCallBlock): Promise<boolean> {
    const { conversation, host } = this.#deps;
    const report = await reportOnPlan(this.#deps).catch((error: unknown) =>
      // A task never fails because its plan cannot be compared.
      host.log.error("the changes were not compared with the plan", error),
    );
    throwIfAborted(this.signal);
    if (!report) return false;
    const { told, values } = report;
    if (told !== undefined) {
      await this.#results.ran(completion, { parts: [{ type: "text", text: told }], outcome: "not-run" });
    }
    conversation.emit({ type: "notice", id: host.newId(), code: "plan-compared", values });
    return told !== undefined;
  }

  /**
   * Takes a call from its preparation to its result. The steps begin again if files that the approval covers changed while the
   * call waited; a file that changes all the time, such as a log, makes the call fail when it runs. Exactly one of an
   * invocation's `run` and `discard` is called.
   */
  async #perform(requested: RequestedCall): Promise<Next> {
    let outdated: OutdatedApproval | undefined;
    for (let questions = 1; ; questions++) {
      const invocation = await this.#prepare(requested);
      if (!invocation) return "next";
      let runs = false;
      try {
        const refusal = await this.#preparedRefusal(requested, invocation);
        if (refusal) return await this.#refuse(requested.call, refusal);
        const prepared = await this.#judge(requested, invocation);
        const approval = await this.#approve(requested, prepared, outdated);
        if (typeof approval === "string") return approval;
        outdated = questions < MAX_QUESTIONS ? await outdatedApproval(approval, invocation) : undefined;
        if (!outdated) {
          runs = true;
          return await this.#run(requested, prepared, approval);
        }
      } finally {
        if (!runs) await invocation.discard?.();
      }
    }
  }

  /** What the user's hooks refuse of a call whose files or command are known only now. The row shows the command, too. */
  async #preparedRefusal(
    requested: RequestedCall,
    { paths, command }: Invocation,
  ): Promise<Refusal | undefined> {
    const { knownWhenPrepared: known } = requested.tool;
    if (!known) return undefined;
    if (known === "files") requested.prepared = { files: paths.filter(({ access }) => access === "write") };
    else requested.prepared = command === undefined ? {} : { command };
    if (known === "command" && command !== undefined) this.#showSubject(requested, command);
    return this.#hookRefusal(requested);
  }

  /** Validates the call against the workspace. undefined: the call cannot run, and its result says why. */
  async #prepare(requested: RequestedCall): Promise<Invocation | undefined> {
    const { call, tool, params } = requested;
    const { context, requests } = this.#deps;
    try {
      const invocation = await tool.prepare(params, context, requests.streams.get(call.id));
      requests.streams.delete(call.id);
      return invocation;
    } catch (error) {
      if (error instanceof Interrupt) throw error;
      if (error instanceof NothingToDo) {
        // The call would change nothing. The reply tells the model that, and the call does not count as failed.
        const parts: ToolOutput["parts"] = [{ type: "text", text: error.message }];
        await this.#record(requested, { parts, shown: { note: "unchanged" } });
      } else await this.#threw(requested, error, { note: "refused" });
      return undefined;
    }
  }

  /** Whether the call may run without asking, and what it would destroy. */
  async #judge({ call, tool, ruling = {} }: RequestedCall, invocation: Invocation): Promise<PreparedCall> {
    const { agent, approvals, checkpoints, conversation, host, judge } = this.#deps;
    const { allowances } = approvals;
    await allowances.refresh();
    const { command } = invocation;
    const approvedPlace = command === undefined ? undefined : await approvals.approvedPlace(command);
    const judged = { ...allowances.judged(invocation), ...(approvedPlace ? { approvedPlace } : {}) };
    const own = await judge.permission(tool, judged, conversation.mode, ruling.isAllowed);
    const limit = own.verdict === "deny" ? undefined : await agent.denial(tool, invocation);
    if (limit) {
      const permission = { ...own, verdict: "deny" as const, reason: limit };
      return { call, tool, invocation, permission, protection: undefined };
    }
    const asks = ruling.asks !== undefined && own.verdict === "allow";
    const permission = asks ? { ...own, verdict: "ask" as const, reason: ruling.asks ?? own.reason } : own;
    const protection = await protectionOf(host, checkpoints, invocation);
    return { call, tool, invocation, permission, protection };
  }

  /** Asks the user if the judge says so. If the call may not run, its result says why. */
  async #approve(
    requested: RequestedCall,
    prepared: PreparedCall,
    outdated: OutdatedApproval | undefined,
  ): Promise<Approval | "next" | "rejected"> {
    const { call, tool, invocation, permission, protection } = prepared;
    if (permission.verdict === "deny") {
      await this.#results.denied(call, permission.reason);
      return "next";
    }
    // After a restart, a call that starts tasks does not ask again: those tasks ask for themselves.
    const reapproves = this.#reapprove && !tool.sideBySide;
    const asks = permission.verdict === "ask" || invocation.alwaysAsks || protection?.asks || reapproves;
    if (!asks) return { comment: undefined, isAsked: false };
    const answer = await this.#askHooks(requested, prepared);
    if (answer) return answer;
    const { approved, comment, excludedHunks } = await askUser(prepared, this.#deps, this.signal, outdated);
    if (!approved) {
      await this.#results.rejected(call, comment);
      return "rejected";
    }
    // The mode may have changed while the call waited: plan mode applies from that moment.
    const refusal = planMode(prepared, this.#deps);
    if (!refusal) return { comment, isAsked: true, ...(excludedHunks ? { excludedHunks } : {}) };
    return this.#refuse(call, refusal);
  }

  /** What the user's hooks answer in place of the user. undefined: the user is asked. */
  async #askHooks(requested: RequestedCall, prepared: PreparedCall): Promise<Approval | "next" | undefined> {
    const { hooks } = this.#deps;
    const { call, tool, ruling } = requested;
    const answer = await hooks?.permission(requested, this.signal);
    throwIfAborted(this.signal);
    if (typeof answer === "object") return this.#refuse(call, answer);
    hooks?.asks(tool.name, this.signal);
    // A hook of the user's that wants them to be asked is stronger than one that answers for them.
    if (answer !== "allow" || ruling?.asks || this.#reapprove) return undefined;
    const { invocation, protection } = prepared;
    const allowed = await this.#judge({ ...requested, ruling: { isAllowed: true } }, invocation);
    const stillAsks = allowed.permission.verdict !== "allow" || invocation.alwaysAsks || protection?.asks;
    if (stillAsks) return undefined;
    prepared.permission = allowed.permission;
    return { comment: undefined, isAsked: false };
  }

  /** Runs the call and stores its result. If it throws an error, the result states the error. */
  async #run(
    requested: RequestedCall,
    prepared: PreparedCall,
    { excludedHunks, comment, isAsked }: Approval,
  ): Promise<Next> {
    const { sandbox } = prepared.permission;
    const { command } = prepared.invocation;
    if (command !== undefined) this.#deps.approvals.spendApproved(command);
    const allowed = {
      ...prepared,
      // What the user approved, they approved as a command of theirs, unless the approval gave it the network alone.
      ...(sandbox === undefined || (isAsked && !sandbox.network) ? {} : { sandbox }),
      ...(excludedHunks ? { excludedHunks } : {}),
      isRestored: this.#reapprove,
      propose: (change: Invocation) => this.#followUpEdit(prepared, change),
    };
    const run = await startCall(allowed, this.#deps, this.signal);
    let output: ToolOutput;
    try {
      output = fromOutside(await run(), prepared.tool);
    } catch (error) {
      if (error instanceof Interrupt) throw error;
      await this.#threw(requested, error);
      return "next";
    }
    return this.#record(requested, output, comment);
  }

  async #threw(requested: RequestedCall, error: unknown, more: ShownResult = {}): Promise<void> {
    const note = await this.#deps.hooks?.afterFailure(requested, error, this.signal);
    await this.#results.threw(requested.call, error, more, note);
  }

  /**
   * Judges an edit that a call proposes while it runs, asks the user about it, and makes it. The row of that call shows the question.
   * Rejects with Interrupt when the turn is stopped.
   */
  async #followUpEdit({ call, tool }: PreparedCall, change: Invocation): Promise<ProposalOutcome> {
    const { agent, approvals, conversation, judge } = this.#deps;
    const editing = { ...tool, access: "edit" as const };
    let runs = false;
    try {
      await approvals.allowances.refresh();
      const permission = await judge.permission(editing, change, conversation.mode);
      if (permission.verdict === "deny") return { type: "denied", reason: permission.reason };
      const limit = await agent.denial({ name: "", access: "edit" }, change);
      if (limit) return { type: "denied", reason: limit };
      const prepared = { call, tool: editing, invocation: change, permission, protection: undefined };
      const asks = permission.verdict === "ask" || change.alwaysAsks;
      const decision = asks
        ? await askUser(prepared, this.#deps, this.signal)
        : { approved: true, comment: undefined };
      const { approved, comment } = decision;
      if (!approved) return { type: "rejected", comment };
      // The mode may have changed while the change waited.
      if (conversation.mode === "plan") return { type: "denied", reason: reasonOf("plan-mode") };
      runs = true;
      return { type: "made", output: await runProposed(prepared, this.#deps, this.signal), comment };
    } finally {
      if (!runs) await change.discard?.();
    }
  }

  /** Stores the result of a call that ran, and continues as the user chose in it. */
  async #record(requested: RequestedCall, output: ToolOutput, comment?: string): Promise<Next> {
    const { afterCall = [], hooks } = this.#deps;
    for (const follow of [...AFTER_CALL, ...afterCall]) await follow(requested, output, this.#deps);
    await hooks?.afterCall(requested, output, this.signal);
    if (comment !== undefined) {
      output.parts.push({ type: "text", text: replies.approvedWith(comment) });
      output.shown = { ...output.shown, comment };
    }
    await this.#results.ran(requested.call, output);
    if (output.follow?.type === "new-task") return { type: "handed-over", context: output.follow.text };
    if (output.follow?.type === "condense") this.#deps.requests.applyCondense(output.follow.text);
    return "next";
  }

  /**
   * What is wrong with the last answer, for the model; undefined: nothing. Throws after too many answers that do not have the
   * required form.
   */
  #corrections(move: Move, isCut: boolean): string[] | undefined {
    if (move.type === "correct" && move.why === "cut-off")
      return [isCut ? replies.CUT_FOR_MESSAGE : replies.CONTINUE_AFTER_CUT];
    if (move.type === "correct") return this.#malformedCallReply();
    const { conversation, output } = this.#deps;
    const last = move.type === "rest" ? conversation.messages.at(-1) : undefined;
    const problem = last && output?.ofReply(textOf(last));
    if (problem === undefined) return undefined;
    output?.refuse(problem);
    return [replies.misfitReply(problem)];
  }

  /** Why the user's hooks let the task continue although it has answered; undefined: they do not. */
  async #hookCorrections(move: Move): Promise<string[] | undefined> {
    const { conversation, hooks } = this.#deps;
    const last = conversation.messages.at(-1);
    if (move.type !== "rest" || !hooks || !last) return undefined;
    const text = await hooks.keepsWorking(textOf(last), this.signal);
    throwIfAborted(this.signal);
    return text === undefined ? undefined : [text];
  }

  /** The reply to malformed calls, if there are any. */
  #malformedCallReply(): string[] {
    const { conversation, requests, tools } = this.#deps;
    return malformedCallReply({ conversation, registry: tools }, requests.protocol);
  }

  /**
   * Appends a user message with the queued messages, `texts` and what has changed in the environment, unless all of these are
   * empty.
   */
  async #append(texts: string[]): Promise<void> {
    const { queue, rules, turns } = this.#deps;
    const queued = queue.take();
    try {
      const admitted = await this.#admitted(queued);
      await turns.append({ inputs: admitted.inputs, texts: [...texts, ...admitted.texts] }, this.signal);
    } catch (error) {
      queue.putBack(queued);
      throw error;
    }
    rules.notify();
  }

  /** The queued messages that no hook of the user's blocks. A row reports the others. */
  async #admitted<T extends UserContent>(queued: readonly T[]): Promise<{ inputs: T[]; texts: string[] }> {
    const { conversation, hooks, host } = this.#deps;
    if (!hooks) return { inputs: [...queued], texts: [] };
    const inputs: T[] = [];
    const texts: string[] = [];
    for (const input of queued) {
      try {
        texts.push(...(await hooks.admit(input.text, this.signal)));
        inputs.push(input);
      } catch (error) {
        if (!(error instanceof PromptFailure)) throw error;
        const values = [error.detail];
        conversation.emit({ type: "notice", id: host.newId(), code: "hook-blocked-message", values });
      }
    }
    return { inputs, texts };
  }

  #report(error: unknown): void {
    const { conversation, host } = this.#deps;
    if (error instanceof SessionTakenOver) {
      conversation.emit({ type: "notice", id: host.newId(), code: "taken-over" });
      return;
    }
    const isRequest = error instanceof ProviderError;
    if (!isRequest) host.log.error("the task failed", error);
    const code = error instanceof NotSaved ? "not-saved" : "internal";
    const view: ErrorView = isRequest ? error.view : { code, detail: messageOf(error) };
    conversation.emit({ type: "error", id: host.newId(), error: view });
  }
}

/** The files that an approval covers and that changed while the call waited for it; undefined: the approval counts. */
async function outdatedApproval(
  { isAsked, comment }: Approval,
  { coverage }: Invocation,
): Promise<OutdatedApproval | undefined> {
  if (!isAsked || !coverage) return undefined;
  const changed = await coverage.changed();
  return changed.length === 0 ? undefined : { changed, comment };
}

/** The agent that the user chose has no other tools than its own. */
function agentTools({ tool }: RequestedCall, { agent }: CallScope): Refusal | undefined {
  return agent.refusal(tool);
}

/** Plan mode never writes, whatever a tool declares. */
function planMode(
  { tool }: Pick<RequestedCall, "tool">,
  { conversation: { mode } }: Pick<CallScope, "conversation">,
): Refusal | undefined {
  // Of servers, the policy allows only tools that the user marked as reading.
  const isHarmless = mode === "act" || ["read", "web", "talk", "mcp"].includes(tool.access);
  if (isHarmless && tool.modes.includes(mode)) return undefined;
  const reason = reasonOf(mode === "plan" ? "plan-mode" : "plan-mode-only");
  return { text: replies.refusedInMode(tool.name, mode), reason };
}

/** A message may contain only one call of some tools, because its result determines the next call. */
function oncePerMessage({ call, tool, answer }: RequestedCall, { tools }: CallScope): Refusal | undefined {
  if (!tool.oncePerMessage) return undefined;
  const first = answer.calls.find((each) => tools.find(each.name)?.name === tool.name);
  if (!first || first.id === call.id) return undefined;
  return { text: replies.onlyOneCall(tool.name), outcome: "not-run" };
}

/** No other tool runs while one such as the browser is open. */
function exclusions({ tool }: RequestedCall, { context, tools }: CallScope): Refusal | undefined {
  if (tool.turnEnd) return undefined;
  for (const other of tools.tools) {
    const text = other.name === tool.name ? undefined : other.excludesOthers?.(context);
    if (text !== undefined) return { text, outcome: "not-run" };
  }
  return undefined;
}

/** A call does not end the turn before the model has been told about malformed calls. */
function malformedSiblings({ tool, answer }: RequestedCall): Refusal | undefined {
  if (!tool.turnEnd || !answer.hasMalformedCall) return undefined;
  return { text: replies.NOT_RUN["malformed-call"], outcome: "not-run" };
}

function failedSiblings({ tool }: RequestedCall, { conversation }: CallScope): Refusal | undefined {
  if (tool.afterFailure === undefined || !hasFailedCall(conversation.messages)) return undefined;
  return { text: tool.afterFailure, outcome: "not-run" };
}

/** A call that changes something must not write the placeholder over the user's API key. */
function removedKeys({ tool, params }: RequestedCall): Refusal | undefined {
  const writes = tool.access === "edit" || tool.access === "command" || tool.access === "mcp";
  if (!writes || !JSON.stringify(params).includes(REMOVED_KEY)) return undefined;
  return { text: replies.containsRemovedKey(REMOVED_KEY) };
}

/** Counts repeated calls, and tells the model about those that succeed. */
function repeats({ call, tool }: RequestedCall, output: ToolOutput, { limits }: CallScope): void {
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

/**
 * The next step, which depends only on the messages, so a task can continue from any point. `hasMalformedCall`: whether the last
 * answer contains a malformed call.
 */
export function nextMove(messages: readonly Message[], hasMalformedCall: boolean): Move {
  const calls = unansweredCalls(messages);
  if (calls.length > 0) return { type: "calls", calls };
  const last = messages.at(-1);
  if (last?.role !== "assistant") return { type: "ask", afterResults: last?.role === "tool" };
  if (last.interrupted) return { type: "correct", why: "cut-off" };
  if (hasMalformedCall) return { type: "correct", why: "malformed-call" };
  return isEmpty(last) ? { type: "ask", afterResults: false } : { type: "rest" };
}

/** Whether messages that were queued meanwhile are sent next. */
export function takesQueue(end: RunEnd): boolean {
  return (
    end.type === "replied" || end.type === "completed" || (end.type === "failed" && end.awaitsUser === true)
  );
}

/** The text of a message, without its reasoning. */
function textOf({ blocks }: Message): string {
  return blocks.map((block) => (block.type === "text" ? block.text : "")).join("");
}
