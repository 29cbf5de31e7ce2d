/**
 * The loop: performs the conversation's next step until it is the user's turn. Its whole state is the transcript, so
 * it can end at any point and continue after a Stop, a failed request or a crash.
 */

import type { Message } from "../../shared/message.ts";
import type { Forecast } from "../../shared/models/forecast.ts";
import type { WindowContents } from "../../shared/models/window-contents.ts";
import type { SessionCheckpoints } from "../checkpoints/checkpoints.ts";
import { Interrupt, ProviderError } from "../errors.ts";
import type { Host } from "../ports/host.ts";
import * as replies from "../prompts/replies.ts";
import type { ModelAccess } from "../provider/model-access.ts";
import type { ProjectServers } from "../servers/project-servers.ts";
import { SessionTakenOver } from "../sessions/claims.ts";
import { TaskPages } from "../task-pages.ts";
import { TaskBrowser } from "../tools/browser/task-browser.ts";
import type { FileWriters } from "../tools/editing/file-writers.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import type { RequiredOutput } from "../tools/set/required-output.ts";
import { TaskTools } from "../tools/set/task-tools.ts";
import type { ChildTasks, ToolContext } from "../tools/tool.ts";
import type { Approvals } from "./calls/approvals.ts";
import type { ForegroundCalls } from "./calls/foreground-calls.ts";
import type { Judge } from "./calls/permission.ts";
import type { ServerForms } from "./calls/server-forms.ts";
import { runCalls } from "./calls/tool-calls.ts";
import { errorView } from "./error-view.ts";
import { BrokenAnswers } from "./limits/broken-answers.ts";
import type { Limit, Limits } from "./limits/limits.ts";
import { type Move, nextMove } from "./next-move.ts";
import { ModelRequests } from "./request.ts";
import { closedResult } from "./results.ts";
import type { RunEnd } from "./run-end.ts";
import { TaskRules } from "./task-rules.ts";
import { prepareServers, tooMany } from "./task-servers.ts";
import type { Transcript } from "./transcript.ts";
import { type UserContent, UserTurns } from "./turn.ts";
import { hasUnreadableCall, unreadReply } from "./unread.ts";

/** Messages that the user sent while the agent worked. */
export interface PendingInput<Item extends UserContent = UserContent> {
  take(): readonly Item[];
  /** Puts back items that did not become a message. */
  putBack(items: readonly Item[]): void;
}

export interface TaskDeps extends ModelAccess {
  host: Host;
  registry: ToolRegistry;
  conversation: Transcript;
  approvals: Approvals;
  foregroundCalls: ForegroundCalls;
  serverForms: ServerForms;
  servers?: ProjectServers;
  judge: Judge;
  limits: Limits;
  checkpoints?: SessionCheckpoints;
  queue: PendingInput;
  /** What final answers must be; absent: any text. */
  output?: RequiredOutput;
  /** Nobody can retry, so an answer that breaks off or is empty is requested again. */
  unattended?: boolean;
  /** What requests cost today. Default: not known. */
  spending?: { today(): Promise<{ cost: number; requests: number }> };
  /** Which tasks wrote files; absent: this task is the only one. */
  writers?: FileWriters;
  /** The tasks that this one starts; absent: it cannot start any. */
  children?: ChildTasks;
  /** Limits how many tasks work at once; absent: any number. `onWait` is called if this one has to wait. */
  slots?: { take(session: string, signal: AbortSignal, onWait: () => void): Promise<void> };
  random(): number;
}

/** What a run is for. */
export type Intent =
  /** Continue the conversation. `askAgain`: calls that waited ask again, whatever the settings allow. */
  | { type: "continue"; askAgain?: boolean }
  /** The user asked to condense it; `display` is what they typed. */
  | { type: "condense"; focus: string; display: string };

export class Task {
  readonly turns: UserTurns;
  readonly #deps: TaskDeps;
  readonly #context: ToolContext;
  readonly #rules: TaskRules;
  readonly #requests: ModelRequests;
  readonly #tools: TaskTools;
  readonly #browser: TaskBrowser;
  #signal: AbortSignal = AbortSignal.abort();
  /** Ends the answer that is being received; set while one is. */
  #answering: AbortController | undefined;
  #askAgain = false;

  constructor(deps: TaskDeps) {
    this.#deps = deps;
    this.#tools = new TaskTools(deps.registry, deps.output);
    this.#browser = new TaskBrowser(deps.host);
    this.#rules = new TaskRules(deps);
    const signal = () => this.#signal;
    const { conversation, host, judge, settings } = deps;
    const context: ToolContext = {
      host,
      settings,
      mode: () => conversation.mode,
      seen: new Map(),
      ...(deps.writers ? { writers: deps.writers.of(conversation.id, () => conversation.title) } : {}),
      ...(deps.children ? { children: deps.children } : {}),
      pages: new TaskPages({ host, settings, keys: conversation.keys }),
      editAllowed: async (path) => {
        if (this.#askAgain) return false;
        const use = { paths: [{ path, access: "write" as const }] };
        return (await judge.permission({ access: "edit" }, use, conversation.mode)).verdict === "allow";
      },
      unreadable: (path) => judge.unreadable(path),
      seesImages: () => deps.profiles.of(conversation.modelChoice(settings())).seesImages,
      browser: this.#browser,
      ...(deps.servers ? { servers: deps.servers } : {}),
      sessionId: () => conversation.id,
      get signal() {
        return signal();
      },
    };
    this.#context = context;
    this.#requests = new ModelRequests({
      ...deps,
      context,
      registry: this.#tools,
      rules: () => this.#rules.text,
    });
    this.turns = new UserTurns({ ...deps, context, rules: this.#rules, requests: this.#requests });
  }

  /** Runs until it is the user's turn. Never rejects: an error becomes an error row. */
  async run(intent: Intent, signal: AbortSignal): Promise<RunEnd> {
    this.#requests.sent.turn();
    const end = await this.#run(intent, signal);
    // The user answers a question or a limit, and the task then continues where it was.
    if (end.type !== "asked" && end.type !== "limit") await this.close();
    return end;
  }

  /** What a message with this text would send. */
  forecast(text: string): Forecast {
    return this.#requests.forecast(text);
  }

  /** What the context window holds. */
  contents(): WindowContents {
    return this.#requests.contents();
  }

  /** Bytes of request bodies for each turn since the session was opened; undefined: none could be counted. */
  get sentPerTurn(): number | undefined {
    return this.#requests.sent.perTurn;
  }

  /** Ends the wait before a failed request is sent again. False: none waits. */
  hurry(): boolean {
    return this.#requests.hurry();
  }

  /** Ends the answer that is being received, so that the queued messages are read now. */
  endAnswer(): void {
    this.#answering?.abort();
  }

  /** Resolves when the task may work. It may until its turn ends or waits for the user. Rejects with Interrupt. */
  async takeSlot(signal: AbortSignal): Promise<void> {
    const { conversation, slots } = this.#deps;
    await slots?.take(conversation.id, signal, () => conversation.emit({ type: "status", status: "queued" }));
  }

  /** Ends what belongs to the task and outlives a call: the browser. */
  close(): Promise<void> {
    return this.#browser.close();
  }

  async #run(intent: Intent, signal: AbortSignal): Promise<RunEnd> {
    this.#signal = signal;
    this.#askAgain = intent.type === "continue" && intent.askAgain === true;
    try {
      await this.#takeTools(signal);
      await this.#rules.begin(signal);
      this.#rules.notify();
      if (intent.type === "continue") return await this.#loop(signal);
      await this.takeSlot(signal);
      await this.#requests.condense(intent, signal);
      return { type: "replied" };
    } catch (error) {
      if (error instanceof Interrupt || signal.aborted) return { type: "stopped" };
      this.#report(error);
      return { type: "failed" };
    } finally {
      await this.#requests.abandonStreams();
      this.#askAgain = false;
    }
  }

  /** Applies changes of the registry; the only point at which they change the prompt. */
  async #takeTools(signal: AbortSignal): Promise<void> {
    await prepareServers(this.#deps, signal);
    const isOffered = this.#deps.registry.servers.length > 0;
    const contextWindow = isOffered ? await this.#requests.contextWindow(signal) : 0;
    const change = this.#tools.take((tools) => tooMany(tools, contextWindow));
    if (!change) return;
    const [added, removed] = [change.added, change.removed].map((names) => names.join(", ") || "none");
    this.#deps.host.log.info(
      `the tools changed, and the prompt with them: added ${added}, removed ${removed}`,
    );
  }

  async #loop(signal: AbortSignal): Promise<RunEnd> {
    const { conversation, limits } = this.#deps;
    let isCut = false;
    const broken = new BrokenAnswers({ ...this.#deps, requests: this.#requests });
    for (;;) {
      const { messages } = conversation;
      const unread = hasUnreadableCall(messages, this.#tools);
      const move = nextMove(messages, unread);
      if (move.type === "calls") {
        const end = await this.#calls(move.calls, unread, signal);
        if (end) return end;
        continue;
      }
      if (messages.at(-1)?.role !== "user") limits.answer(unread);
      const corrections = this.#corrections(move, isCut);
      if (corrections) await this.#append(corrections, signal);
      else if (move.type === "rest") return { type: "replied" };
      const limit = await this.#limit();
      if (limit) return { type: "limit", limit };
      if (move.type === "ask" && (move.afterResults || isCut)) await this.#append(this.#unread(), signal);
      isCut = await broken.request(() => this.#request(signal), signal);
    }
  }

  /** Runs the calls of the last answer. Returns why the turn is over then, if it is. */
  async #calls(
    calls: Parameters<typeof runCalls>[0],
    hasUnreadableCall: boolean,
    signal: AbortSignal,
  ): Promise<RunEnd | undefined> {
    const { approvals, conversation, host } = this.#deps;
    const askAgain = this.#askAgain;
    const { decided } = approvals;
    const end = await runCalls(
      calls,
      {
        ...this.#deps,
        registry: this.#tools,
        context: this.#context,
        streams: this.#requests.streams,
        askAgain,
        hasUnreadableCall,
        condense: (summary) => this.#requests.applyCondense(summary),
      },
      signal,
    );
    await this.#requests.abandonStreams();
    this.#askAgain = false;
    if (end || !askAgain || approvals.decided > decided) return end;
    // The calls of a restored session had no need to ask: its next request is the user's to send.
    conversation.emit({ type: "notice", id: host.newId(), code: "interrupted" });
    return { type: "failed", held: true };
  }

  /** Requests one answer. True: `endAnswer` ended it. Its calls are closed then, and none of them ran. */
  async #request(signal: AbortSignal): Promise<boolean> {
    const { conversation, host } = this.#deps;
    const answering = new AbortController();
    this.#answering = answering;
    const either = AbortSignal.any([signal, answering.signal]);
    try {
      await this.takeSlot(either);
      await this.#requests.send(either);
      return false;
    } catch (error) {
      const isCut = answering.signal.aborted && !signal.aborted && error instanceof Interrupt;
      if (!isCut) throw error;
      await this.#requests.abandonStreams();
      for (const call of conversation.unansweredCalls())
        await conversation.append(closedResult(host, this.#tools, call, "spoke"));
      return true;
    } finally {
      this.#answering = undefined;
    }
  }

  /** The limit that is reached, after notifying the user; undefined: the next request is counted. */
  async #limit(): Promise<Limit | undefined> {
    const { conversation, host, limits, settings, spending } = this.#deps;
    const today = (await spending?.today()) ?? { cost: 0, requests: 0 };
    const next = this.#requests.forecast("");
    const limit = limits.next(settings().approval, { task: conversation.totals.cost ?? 0, today, next });
    if (limit) conversation.emit({ type: "notice", id: host.newId(), ...limit });
    return limit;
  }

  /** What is wrong with the last answer, for the model; undefined: nothing. Throws after too many answers that do not fit. */
  #corrections(move: Move, isCut: boolean): string[] | undefined {
    if (move.type === "correct" && move.why === "cut-off")
      return [isCut ? replies.CUT_FOR_MESSAGE : replies.CONTINUE_AFTER_CUT];
    if (move.type === "correct") return this.#unread();
    const { conversation, output } = this.#deps;
    const last = move.type === "rest" ? conversation.messages.at(-1) : undefined;
    const problem = last && output?.ofReply(textOf(last));
    if (problem === undefined) return undefined;
    output?.refuse(problem);
    return [replies.misfitReply(problem)];
  }

  /** The reply to calls that could not be read, if there are any. */
  #unread(): string[] {
    return unreadReply({ ...this.#deps, registry: this.#tools }, this.#requests.protocol);
  }

  /** Appends a user message with the queued messages, `texts` and what is new of the environment, if there is any of that. */
  async #append(texts: string[], signal: AbortSignal): Promise<void> {
    const { queue } = this.#deps;
    const queued = queue.take();
    try {
      await this.turns.append({ inputs: queued, texts }, signal);
    } catch (error) {
      queue.putBack(queued);
      throw error;
    }
    this.#rules.notify();
  }

  #report(error: unknown): void {
    const { conversation, host } = this.#deps;
    if (error instanceof SessionTakenOver) {
      conversation.emit({ type: "notice", id: host.newId(), code: "taken-over" });
      return;
    }
    if (!(error instanceof ProviderError)) host.log.error("the task failed", error);
    conversation.emit({ type: "error", id: host.newId(), error: errorView(error) });
  }
}

/** What the model said in a message, without its reasoning. */
function textOf({ blocks }: Message): string {
  return blocks.map((block) => (block.type === "text" ? block.text : "")).join("");
}
