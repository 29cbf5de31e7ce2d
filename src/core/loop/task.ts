/**
 * The loop: while the conversation asks for something, do that one thing. Its whole state is the transcript, so it can
 * end at any point and continue from there, after a Stop, a failed request or a crash.
 */
import type { Settings } from "../../shared/settings.ts";
import type { Checkpoints } from "../checkpoints/checkpoints.ts";
import { Interrupt, ProviderError } from "../errors.ts";
import type { Host } from "../ports/host.ts";
import * as replies from "../prompts/replies.ts";
import type { ModelProfiles } from "../provider/model-profile.ts";
import { SessionTakenOver } from "../sessions/claims.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import { TaskTools } from "../tools/set/task-tools.ts";
import type { ToolContext } from "../tools/tool.ts";
import type { Approvals } from "./approvals.ts";
import { errorView } from "./error-view.ts";
import type { Limit, Limits } from "./limits.ts";
import type { GoingOn } from "./move-to-background.ts";
import { nextMove } from "./next-move.ts";
import type { Judge } from "./permission.ts";
import { ModelRequests } from "./request.ts";
import { RulesInForce } from "./rules-in-force.ts";
import type { RunEnd } from "./run-end.ts";
import { runCalls } from "./tool-calls.ts";
import type { Transcript } from "./transcript.ts";
import { type Said, UserTurns } from "./turn.ts";
import { holdsUnread, unreadReply } from "./unread.ts";

/** What the user said while the agent worked. */
export interface PendingInput<Item extends Said = Said> {
  take(): readonly Item[];
  /** Puts back what was taken and did not become a message. */
  putBack(items: readonly Item[]): void;
}

export interface TaskDeps {
  host: Host;
  settings(): Settings;
  apiKey(): Promise<string | undefined>;
  profiles: ModelProfiles;
  registry: ToolRegistry;
  conversation: Transcript;
  approvals: Approvals;
  goingOn: GoingOn;
  judge: Judge;
  limits: Limits;
  checkpoints?: Checkpoints;
  queue: PendingInput;
  random(): number;
}

/** What a run is for. */
export type Intent =
  /** The conversation continues where it stands. `askAgain`: calls that waited ask again, whatever the settings allow. */
  | { type: "continue"; askAgain?: boolean }
  /** The user asked to condense it; `display` is what they typed. */
  | { type: "condense"; focus: string; display: string };

export class Task {
  readonly turns: UserTurns;
  readonly #deps: TaskDeps;
  readonly #context: ToolContext;
  readonly #rules: RulesInForce;
  readonly #requests: ModelRequests;
  readonly #tools: TaskTools;
  #signal: AbortSignal = AbortSignal.abort();
  #askAgain = false;

  constructor(deps: TaskDeps) {
    this.#deps = deps;
    this.#tools = new TaskTools(deps.registry);
    this.#rules = new RulesInForce(deps);
    const signal = () => this.#signal;
    const { conversation, host, judge, settings } = deps;
    const context: ToolContext = {
      host,
      settings,
      mode: () => conversation.mode,
      seen: new Map(),
      editAllowed: async (path) => {
        if (this.#askAgain) return false;
        const use = { paths: [{ path, access: "write" as const }] };
        return (await judge.permission({ access: "edit" }, use, conversation.mode)).verdict === "allow";
      },
      unreadable: (path) => judge.unreadable(path),
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
    const room = (signal: AbortSignal) => this.#requests.room(signal);
    this.turns = new UserTurns({ ...deps, context, rules: this.#rules, room });
  }

  /** Runs until it is the user's turn. Never rejects: a fault becomes an error row. */
  async run(intent: Intent, signal: AbortSignal): Promise<RunEnd> {
    this.#signal = signal;
    this.#askAgain = intent.type === "continue" && intent.askAgain === true;
    this.#takeTools();
    try {
      await this.#rules.begin(signal);
      this.#rules.tell();
      if (intent.type === "continue") return await this.#loop(signal);
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

  /** The one moment at which what the registry gained or lost changes the prompt. */
  #takeTools(): void {
    const change = this.#tools.take();
    if (!change) return;
    const [added, removed] = [change.added, change.removed].map((names) => names.join(", ") || "none");
    this.#deps.host.log.info(
      `the tools changed, and the prompt with them: added ${added}, removed ${removed}`,
    );
  }

  async #loop(signal: AbortSignal): Promise<RunEnd> {
    const { conversation, limits } = this.#deps;
    for (;;) {
      const { messages } = conversation;
      const unread = holdsUnread(messages, this.#tools);
      const move = nextMove(messages, unread);
      if (move.type === "calls") {
        const end = await runCalls(
          move.calls,
          {
            ...this.#deps,
            registry: this.#tools,
            context: this.#context,
            streams: this.#requests.streams,
            askAgain: this.#askAgain,
            holdsUnread: unread,
            condense: (summary) => this.#requests.applyCondense(summary),
          },
          signal,
        );
        this.#askAgain = false;
        if (end) return end;
        continue;
      }
      if (messages.at(-1)?.role !== "user") limits.answer(unread);
      if (move.type === "rest") return { type: "replied" };
      if (move.type === "correct")
        await this.#append(move.why === "cut-off" ? [replies.continueAfterCut] : this.#unread(), signal);
      const limit = this.#limit();
      if (limit) return { type: "limit", limit };
      if (move.type === "ask" && move.afterResults) await this.#append(this.#unread(), signal);
      await this.#requests.send(signal);
    }
  }

  /** The limit that is reached, which the user is told of; undefined: the next request is counted. */
  #limit(): Limit | undefined {
    const { conversation, host, limits, settings } = this.#deps;
    const limit = limits.next(settings().approval, conversation.totals.cost ?? 0);
    if (limit) conversation.emit({ type: "notice", id: host.newId(), ...limit });
    return limit;
  }

  /** What the model is told of calls that could not be read, if there are any. */
  #unread(): string[] {
    return unreadReply({ ...this.#deps, registry: this.#tools }, this.#requests.protocol);
  }

  /** A user message with what was said meanwhile, `texts`, and the environment. */
  async #append(texts: string[], signal: AbortSignal): Promise<void> {
    const { conversation, queue } = this.#deps;
    const said = queue.take();
    try {
      await conversation.append(await this.turns.message({ said, texts }, signal));
    } catch (error) {
      queue.putBack(said);
      throw error;
    }
    this.#rules.tell();
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
