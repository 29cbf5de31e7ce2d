/** Collects what a run did, for the report at its end. */
import path from "node:path";
import { lastAnswer } from "../core/agent/answer-text.ts";
import type { Project } from "../core/agent/project.ts";
import type { View } from "../core/agent/view.ts";
import { type ChangedContent, ifKept } from "../core/checkpoints/checkpoints.ts";
import { messageOf } from "../core/errors.ts";
import type { Host } from "../core/ports/host.ts";
import type { TaskEvent } from "../shared/event.ts";
import type { Message } from "../shared/message.ts";
import { JSON_VERSION, type RunReport, type RunStatus } from "../shared/run/run-report.ts";
import type { Totals } from "../shared/totals.ts";
import { pendingCall } from "../shared/view/chat-view.ts";
import { rowsOf } from "../shared/view/reducer.ts";
import type { Translate } from "../shared/words/task-words.ts";
import { terminalErrorText } from "./printer.ts";
import { EXIT_CODE } from "./run.ts";
import { currentCode } from "./shown-code.ts";

/** The number of commands that a report lists. */
const MOST_CHECKS = 100;

export interface RunReporterDeps {
  project: Project;
  view: View;
  host: Pick<Host, "files" | "search">;
  /** The final answer that fits the schema of the run; undefined: there is none, or no schema. */
  output(): { json: unknown } | undefined;
  /** The project folder. */
  root: string;
  t: Translate;
  /** See `Run`. */
  diffOf(path: string | undefined): string | undefined;
  /** Writes the report of a checkpoint that cannot be read. */
  err(text: string): void;
}

export class RunReporter {
  readonly #deps: RunReporterDeps;
  /**
   * Totals of each session before this run. There can be several, because a new task with the context of this one is another
   * session.
   */
  readonly #before = new Map<string, Totals>();
  readonly #totals = new Map<string, Totals>();
  readonly #userMessages: string[] = [];
  /** The user's message of the turn that the run continues, and the calls of that turn that ended in this run. */
  readonly #resumed: string | undefined;
  readonly #resumedCalls: string[] = [];
  readonly #subjects = new Map<string, string>();
  readonly #checks: RunReport["checks"] = [];
  #error: RunReport["error"];

  /** The active session is the one that the run continues, if any. */
  constructor(deps: RunReporterDeps) {
    const { id, chatView } = deps.view.active;
    this.#deps = deps;
    this.#before.set(id, chatView.totals);
    this.#totals.set(id, chatView.totals);
    // A call that waited when the run began has its result in this run.
    for (const row of rowsOf(chatView)) if (row.kind === "call") this.#subjects.set(row.id, row.subject);
    this.#resumed = rowsOf(chatView).findLast(({ kind }) => kind === "user")?.id;
  }

  /** Call for each event of the run. */
  collect(event: TaskEvent): void {
    if (event.type === "totals") this.#totals.set(event.session, event.totals);
    else if (event.type === "message") this.#message(event.message, event.subjects ?? {});
    else if (event.type === "status" && event.status !== "idle") this.#error = undefined;
    else if (event.type === "error") {
      const { code } = event.error;
      this.#error = { code, text: terminalErrorText(this.#deps.t, event.error) };
    }
  }

  /** Call while the session is still open. `cause`: the error that ended the run. */
  async report(exit: number, cause?: unknown): Promise<RunReport> {
    const { view, output } = this.#deps;
    const final = output();
    const { session } = view.active.chatView;
    const error = cause === undefined ? this.#error : { code: "unexpected", text: messageOf(cause) };
    const approval = exit === EXIT_CODE.unanswered ? await this.#waiting() : undefined;
    return {
      type: "result",
      version: JSON_VERSION,
      session: session?.id || null,
      status: statusOf(exit),
      exit,
      answer: lastAnswer(view.active.chatView)?.text ?? "",
      ...(final ? { output: final.json } : {}),
      files: await this.#files(),
      ...this.#spent(),
      checks: this.#checks,
      ...(approval ? { approval } : {}),
      ...(error && exit !== EXIT_CODE.completed ? { error } : {}),
    };
  }

  #message(message: Message, subjects: Readonly<Record<string, string>>): void {
    if (message.display !== undefined) this.#userMessages.push(message.id);
    for (const [callId, subject] of Object.entries(subjects)) this.#subjects.set(callId, subject);
    for (const block of message.blocks) {
      if (block.type !== "tool-result") continue;
      if (this.#userMessages.length === 0) this.#resumedCalls.push(block.callId);
      if (block.shown?.exitCode === undefined) continue;
      if (this.#checks.length >= MOST_CHECKS) return;
      const command = this.#subjects.get(block.callId) ?? "";
      this.#checks.push({ command, exit: block.shown.exitCode });
    }
  }

  async #waiting(): Promise<RunReport["approval"]> {
    const row = pendingCall(this.#deps.view.active.chatView);
    if (!row) return undefined;
    const { id: callId, tool, subject, approval } = row;
    const code = approval && (await currentCode(approval, this.#deps));
    return { callId, tool, subject, ...(code === undefined ? {} : { shown: code }) };
  }

  #spent(): Pick<RunReport, "requests" | "tokens" | "cost"> {
    let requests = 0;
    let cost: number | null = null;
    const tokens = { input: 0, output: 0, cached: 0 };
    for (const [session, now] of this.#totals) {
      const before = this.#before.get(session);
      requests += now.requests - (before?.requests ?? 0);
      tokens.input += now.inputTokens - (before?.inputTokens ?? 0);
      tokens.output += now.outputTokens - (before?.outputTokens ?? 0);
      tokens.cached += now.cachedTokens - (before?.cachedTokens ?? 0);
      if (now.cost !== undefined) cost = (cost ?? 0) + now.cost - (before?.cost ?? 0);
    }
    return { requests, tokens, cost };
  }

  /** The changed files of the active session, without files that were changed and restored again. */
  async #files(): Promise<RunReport["files"]> {
    const { view, root, err } = this.#deps;
    const kinds = new Map<string, RunReport["files"][number]["kind"]>();
    try {
      for (const file of await this.#resumedFiles())
        kinds.set(file.path, await this.#kindOf(file, kinds.get(file.path)));
      for (const id of this.#userMessages) {
        for (const file of await ifKept(view.active.checkpoints.turn(id), [])) {
          if (!file.undone) kinds.set(file.path, await this.#kindOf(file, kinds.get(file.path)));
        }
      }
    } catch (error) {
      err(`nekode: the files that changed are not known: ${messageOf(error)}\n`);
    }
    const named = [...kinds].map(([file, kind]) => ({ path: path.relative(root, file), kind }));
    return named.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** What the calls changed that belong to the turn before this run, in order, if it is not undone. */
  async #resumedFiles(): Promise<ChangedContent[]> {
    if (this.#resumed === undefined || this.#resumedCalls.length === 0) return [];
    const { checkpoints } = this.#deps.view.active;
    const turn = await ifKept(checkpoints.turn(this.#resumed), []);
    const changed = new Set(turn.flatMap(({ path, undone }) => (undone ? [] : path)));
    const files: ChangedContent[] = [];
    for (const id of this.#resumedCalls) files.push(...(await ifKept(checkpoints.changes(id, true), [])));
    return files.filter(({ path }) => changed.has(path));
  }

  /** `before`: what an earlier turn of the run did to the file. */
  async #kindOf(
    file: ChangedContent,
    before: RunReport["files"][number]["kind"] | undefined,
  ): Promise<RunReport["files"][number]["kind"]> {
    const exists = (await this.#deps.host.files.stat(file.path)) !== undefined;
    if (!exists) return "deleted";
    return file.before === null || before === "added" ? "added" : "changed";
  }
}

function statusOf(exit: number): RunStatus {
  switch (exit) {
    case EXIT_CODE.completed:
      return "done";
    case EXIT_CODE.limit:
      return "limit";
    case EXIT_CODE.unanswered:
      return "needs-approval";
    case EXIT_CODE.interrupted:
      return "stopped";
    default:
      return "failed";
  }
}
