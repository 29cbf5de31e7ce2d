/** Reports what happens in a session to the editor, as it happens. */

import { resolve } from "node:path";
import { wait } from "../core/async.ts";
import { messageOf } from "../core/errors.ts";
import type { Disposable } from "../core/lifecycle.ts";
import type { TaskEvent } from "../shared/event.ts";
import type { CallOutcome, Message } from "../shared/message.ts";
import type { ErrorView } from "../shared/models/request-error.ts";
import { presentationOf } from "../shared/tool-presentation.ts";
import { unreachable } from "../shared/unreachable.ts";
import { blockNotice, type CallRow, rowsOf } from "../shared/view/reducer.ts";
import { retryText } from "../shared/words/error-words.ts";
import { noticeText } from "../shared/words/notice-words.ts";
import type { AcpParts } from "./acp-parts.ts";
import type { EditorProject } from "./project/open-editor-project.ts";
import { type Diff, recordedDiffs, statedDiffs } from "./recorded-diffs.ts";
import { comparedText, hasChanges, planReport, saidText, severityOf } from "./report-texts.ts";
import type { CallReport, Report } from "./reports.ts";
import { callReport, isSaid } from "./session-call.ts";

export interface ReporterDeps {
  editorProject: Pick<EditorProject, "project" | "view" | "host" | "proposals">;
  parts: Pick<AcpParts, "t" | "log">;
  report(report: Report): void;
  /** Whether the agent's questions are shown as forms, which contain the answers to choose from. */
  asks: boolean;
  /** A call waits for the user. */
  onApproval(callId: string, report: CallReport): void;
}

/** Milliseconds in which changes of one call's output become one report. */
const OUTPUT_MS = 100;
/** Milliseconds that the end of a turn waits for what commands changed, which takes long in a large repository. */
const RECORDED_MS = 2_000;

export class SessionReporter implements Disposable {
  readonly #deps: ReporterDeps;
  readonly #listening: Disposable;
  /** The number of characters reported of each text of the answer in progress, by row. */
  readonly #reportedLengths = new Map<string, number>();
  /** The changes of files by call. */
  readonly #diffs = new Map<string, Diff[]>();
  /** Calls of subtasks, while they wait for the user. */
  readonly #subtaskCalls = new Map<string, CallRow>();
  readonly #outputs = new Map<string, Disposable>();
  /** Calls of the turn that were reported. */
  readonly #calls = new Set<string>();
  /** Events that are reported after the history; undefined: no history is being replayed. */
  #deferred: TaskEvent[] | undefined;
  #work: Promise<unknown> = Promise.resolve();
  /** Why the last turn failed. */
  failure: ErrorView | undefined;

  constructor(deps: ReporterDeps) {
    this.#deps = deps;
    this.#listening = deps.editorProject.project.onEvent((event) => {
      if (this.#deferred) this.#deferred.push(event);
      else this.#handle(event);
    });
  }

  /** Defers the reports of what happens from now on, until `resume` is called. */
  pause(): void {
    this.#deferred ??= [];
  }

  /**
   * Drops the deferred events, because the replayed history contains what they report. The user still has to be asked about
   * waiting calls.
   */
  replayed(): void {
    this.#deferred = this.#deferred?.filter(({ type }) => type === "approval");
  }

  resume(): void {
    const deferred = this.#deferred ?? [];
    this.#deferred = undefined;
    for (const event of deferred) this.#handle(event);
  }

  /** Call when a turn is over. Resolves when its changes are reported, or are not known in time. No reports of it follow. */
  async settled(): Promise<void> {
    const { clock } = this.#deps.editorProject.host;
    const late = new AbortController();
    const recorded = this.#deps.editorProject.view.active.checkpoints
      .settled()
      .then(() => this.#work)
      .catch((error: unknown) => this.#deps.parts.log.error("the changes of a turn were not recorded", error))
      .finally(() => late.abort());
    await Promise.race([recorded, wait(clock, RECORDED_MS, late.signal).catch(() => undefined)]);
    this.drop();
  }

  /** Call when a turn was stopped. Reports what is known. No reports of the turn follow. */
  drop(): void {
    for (const callId of [...this.#outputs.keys()]) this.#flush(callId);
    this.#calls.clear();
    this.#diffs.clear();
  }

  dispose(): void {
    this.#listening.dispose();
    for (const timer of this.#outputs.values()) timer.dispose();
    this.#outputs.clear();
  }

  #handle(event: TaskEvent): void {
    const { report, parts } = this.#deps;
    const { t } = parts;
    switch (event.type) {
      case "request":
        this.#reportedLengths.clear();
        return;
      case "delta":
        this.#reportText(
          event.kind === "text" ? "agent" : "thought",
          `${event.messageId}:${event.block}`,
          event.delta,
        );
        return;
      case "call":
      case "call-running":
        this.#call(event.callId);
        return;
      case "call-done":
        this.#call(event.callId);
        this.#decided(event.callId, event.outcome);
        return;
      case "call-text":
        this.#callText(event.callId, event.delta);
        return;
      case "approval":
        this.#approval(event.callId);
        return;
      case "child":
      case "output":
        this.#output(event.callId);
        return;
      case "message":
        this.#message(event.message);
        return;
      case "checkpoint": {
        const { id, kind, files, folders } = event.checkpoint;
        // Opening a session repeats the checkpoints of all its calls.
        if (kind === "call" && files > 0 && !folders && this.#calls.has(id)) this.#recordedChange(id);
        return;
      }
      case "todo":
        report(planReport(event.markdown));
        return;
      case "totals":
        this.reportUsage();
        return;
      case "session":
      case "title":
        if (event.title !== "") this.#title(event.title);
        return;
      case "notice":
        this.#notice(event);
        return;
      case "error":
        this.failure = event.error;
        return;
      case "status":
        if (event.retry) {
          const { clock } = this.#deps.editorProject.host;
          const seconds = Math.ceil((Date.parse(event.retry.at) - clock.now().getTime()) / 1_000);
          report({ type: "notice", severity: "info", text: retryText(t, event.retry, seconds) });
        }
        return;
      case "comparison-done": {
        const text = comparedText(t, event.answer);
        this.#reportText("agent", `${event.id}:${event.index}`, text);
        return;
      }
      // The session handles these itself: it asks the editor, and reports what the user can choose (`EditorSession`).
      case "form":
      case "mode":
      case "model":
      case "permission":
        return;
      // The answers of a comparison come whole, with `comparison-done`.
      case "comparison":
      case "comparison-delta":
      case "comparison-call":
        return;
      // The protocol has nothing to show these with: the user's queue and prepared answers exist only in the panel, as does
      // what runs in the background and what the view loads of earlier messages.
      case "queue":
      case "prepared":
      case "background":
      case "earlier":
      case "begins-in-worktree":
      case "plan":
        return;
      default:
        unreachable(event);
    }
  }

  reportUsage(): void {
    const { contextTokens, contextWindow, cost } = this.#deps.editorProject.view.active.chatView.totals;
    if (contextWindow > 0)
      this.#deps.report({
        type: "usage",
        used: contextTokens,
        size: contextWindow,
        ...(cost === undefined ? {} : { cost }),
      });
  }

  /** The call as it is now. */
  callReport(row: CallRow): CallReport {
    const { editorProject, parts } = this.#deps;
    const { faces } = editorProject.view.active.chatView;
    const root = editorProject.host.workspace.root ?? "";
    const isOver = row.state !== "streaming" && row.state !== "approval";
    const diffs = this.#diffs.get(row.id) ?? (isOver ? [] : this.#proposed(row));
    return callReport(row, { faces, root, t: parts.t, diffs });
  }

  #row(callId: string): CallRow | undefined {
    const row = rowsOf(this.#deps.editorProject.view.active.chatView).findLast(({ id }) => id === callId);
    return row?.kind === "call" ? row : undefined;
  }

  #isSaid({ tool }: CallRow): boolean {
    return isSaid(presentationOf(this.#deps.editorProject.view.active.chatView.faces, tool));
  }

  #call(callId: string): void {
    const row = this.#row(callId);
    if (!row || this.#isSaid(row)) return;
    this.#calls.add(callId);
    // A report is complete, so the changes of an earlier turn's call are read again.
    if (hasChanges(row) && !this.#diffs.has(callId)) this.#recordedChange(callId);
    else this.#reportCall(row);
  }

  #reportCall(row: CallRow): void {
    const callId = row.id;
    // The report contains the output so far.
    this.#outputs.get(callId)?.dispose();
    this.#outputs.delete(callId);
    this.#deps.report({ type: "call", call: this.callReport(row) });
  }

  #callText(callId: string, delta: string): void {
    const row = this.#row(callId);
    if (row && this.#isSaid(row)) this.#reportText("agent", callId, delta);
  }

  #approval(callId: string): void {
    const row = this.#row(callId);
    if (!row) return;
    // Until its changes are recorded, the call shows those that were proposed and approved.
    const proposed = this.#proposed(row);
    if (proposed.length > 0) this.#diffs.set(callId, proposed);
    const report = this.callReport(row);
    this.#deps.report({ type: "call", call: report });
    if (row.approval?.task) this.#subtaskCalls.set(callId, row);
    this.#deps.onApproval(callId, report);
  }

  /** Reports the outcome of a subtask's call, for which the session no longer has a row. */
  #decided(callId: string, outcome: CallOutcome): void {
    const { approval: _, ...row } = this.#subtaskCalls.get(callId) ?? { id: "" };
    if (!this.#subtaskCalls.delete(callId) || !("kind" in row)) return;
    this.#deps.report({ type: "call", call: this.callReport({ ...row, state: outcome }) });
  }

  /**
   * The proposed changes of a call: those of its previews or, for a subtask's worktree, which has none, those that the call
   * states.
   */
  #proposed({ id, approval }: CallRow): Diff[] {
    const { proposals, host, view } = this.#deps.editorProject;
    const stated = statedDiffs(view.active.approvals.paths(id));
    const paths = approval?.files?.map(({ path }) => path) ?? (approval?.path ? [approval.path] : []);
    return paths.flatMap((named): Diff[] => {
      const path = resolve(host.workspace.root ?? "", named);
      const proposed = proposals.of(path);
      if (proposed) return [{ type: "diff", path, ...proposed }];
      return stated.filter((diff) => diff.path === path);
    });
  }

  /** A report repeats all earlier output, so several parts of the output become one report. */
  #output(callId: string): void {
    if (this.#outputs.has(callId)) return;
    const { clock } = this.#deps.editorProject.host;
    this.#outputs.set(
      callId,
      clock.after(OUTPUT_MS, () => this.#flush(callId)),
    );
  }

  #flush(callId: string): void {
    if (this.#outputs.has(callId)) this.#call(callId);
  }

  #recordedChange(callId: string): void {
    const { editorProject, parts } = this.#deps;
    const { view, host } = editorProject;
    this.#work = this.#work
      .then(async () => {
        const diffs = await recordedDiffs(view.active.checkpoints, callId, host.encodings);
        if (!this.#calls.has(callId)) return;
        this.#diffs.set(callId, diffs);
        this.#call(callId);
      })
      .catch((error: unknown) => parts.log.error(`the changes of a call were not read: ${messageOf(error)}`));
  }

  #reportText(by: "agent" | "thought", row: string, text: string): void {
    if (text === "") return;
    this.#reportedLengths.set(row, (this.#reportedLengths.get(row) ?? 0) + text.length);
    this.#deps.report({ type: "said", by, message: row, text });
  }

  /** Reports the rest of texts that did not stream, and what a message contains beside its text. */
  #message(message: Message): void {
    message.blocks.forEach((block, index) => {
      const notice = blockNotice(block);
      if (notice) this.#notice(notice);
      if (message.role === "user") return;
      switch (block.type) {
        case "text":
        case "reasoning":
          if (message.role !== "assistant" || block.text.trim() === "") return;
          this.#reportRest(block.type === "text" ? "agent" : "thought", `${message.id}:${index}`, block.text);
          return;
        case "tool-call":
          this.#calledWith(block.id);
          return;
        case "tool-result":
          this.#call(block.callId);
          return;
        // Only the notice reports these.
        case "refused":
        case "window":
        case "rules":
        case "chosen":
          return;
        // Reported when each is complete: `comparison-done`.
        case "answers":
          return;
        // Images are the user's, or part of a result, of which only the text is reported.
        case "image":
          return;
        default:
          unreachable(block);
      }
    });
  }

  #calledWith(callId: string): void {
    const row = this.#row(callId);
    if (row && this.#isSaid(row)) this.#reportRest("agent", callId, saidText(row, this.#deps.asks));
    else this.#call(callId);
  }

  #reportRest(by: "agent" | "thought", row: string, text: string): void {
    this.#reportText(by, row, text.slice(this.#reportedLengths.get(row) ?? 0));
  }

  #title(title: string): void {
    const updatedAt = this.#deps.editorProject.host.clock.now().toISOString();
    this.#deps.report({ type: "title", title, updatedAt });
  }

  #notice({ code, values }: Pick<Extract<TaskEvent, { type: "notice" }>, "code" | "values">): void {
    const text = noticeText(this.#deps.parts.t, code, values);
    this.#deps.report({ type: "notice", severity: severityOf(code, values), text });
  }
}
