/**
 * The findings of reviews as comment threads in the files, until the user dismisses them, a later review of the session replaces them or
 * the window closes. Nothing opens and nothing gets the focus: the threads are where the lines are.
 */
import { createHash } from "node:crypto";
import * as vscode from "vscode";
import type { Project } from "../../core/agent/project.ts";
import type { Session } from "../../core/agent/session.ts";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import type { Log } from "../../core/ports/system.ts";
import type { TaskEvent } from "../../shared/event.ts";
import type { ReviewFinding, ReviewReport } from "../../shared/review.ts";
import { certaintyText, findingMessage, severityText } from "../../shared/words/review-words.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import { commentCommand } from "../editor/own-comments.ts";
import type { SavedFinding, SavedFindings } from "./saved-findings.ts";

export interface ReviewThreadsDeps {
  project: Pick<Project, "onReviewed" | "onEvent"> & { find(id: string): ReviewedSession | undefined };
  /** The findings whose threads are open. */
  saved: Pick<SavedFindings, "read" | "write">;
  /** The session of the panel, where a finding goes if the one that reviewed is closed. */
  active(): ReviewedSession;
  /** Shows the panel and leaves the focus where it is. */
  showPanel(): void;
  t: Translate;
  log: Log;
}

export type ReviewedSession = Pick<Session, "id" | "send">;

/** Menus name it. */
const CONTROLLER = "nekode.review";

interface FindingThread extends SavedFinding {
  thread: vscode.CommentThread;
  fix?: RequestedFix;
}

/** A correction that the user asked for. */
interface RequestedFix {
  session: string;
  message: string;
  /** The text of the file before. */
  before: string;
  /** The message is part of the conversation, so the next end of a turn is the end of the fix. */
  isSent: boolean;
}

export class ReviewThreads implements Disposable {
  readonly #deps: ReviewThreadsDeps;
  readonly #store = new DisposableStore();
  readonly #threads = new Set<FindingThread>();
  #controller: vscode.CommentController | undefined;
  /** Resolves when the threads of the window that was reloaded are there. */
  readonly restored: Promise<void>;

  constructor(deps: ReviewThreadsDeps) {
    this.#deps = deps;
    const failed = (error: unknown) => deps.log.error("the findings of a review are not shown", error);
    this.#store.add(
      deps.project.onReviewed(
        ({ session, report, fileOf }) => void this.show(session, report, fileOf).catch(failed),
      ),
    );
    this.#store.add(deps.project.onEvent((event) => void this.#follow(event).catch(failed)));
    this.restored = this.#restore().catch(failed);
  }

  /** The threads that are shown, in the order of the findings. */
  get threads(): readonly vscode.CommentThread[] {
    return [...this.#threads].map(({ thread }) => thread);
  }

  /**
   * Replaces the threads of the session. A finding whose line has changed meanwhile has none; the session lists it. `fileOf`: the absolute
   * path of a file of the report.
   */
  async show(
    session: string,
    { findings }: Pick<ReviewReport, "findings">,
    fileOf: (path: string) => string,
  ): Promise<void> {
    await this.restored;
    for (const each of [...this.#threads]) if (each.session === session) this.#close(each);
    for (const finding of findings) {
      const file = fileOf(finding.path);
      const document = await openedOrUndefined(vscode.Uri.file(file));
      const range = document && rangeIn(document, finding);
      if (range) this.#add({ session, file, finding, hash: hashOf(document, range) }, range);
    }
    await this.#save();
  }

  /** Shows what was open when the window closed, where the code that it is about is still the same. */
  async #restore(): Promise<void> {
    const saved = this.#deps.saved.read();
    for (const each of saved) {
      const document = await openedOrUndefined(vscode.Uri.file(each.file));
      const range = document && sameRangeIn(document, each);
      if (range) this.#add(each, range);
    }
    if (this.#threads.size < saved.length) await this.#save();
  }

  async #save(): Promise<void> {
    const open = [...this.#threads].filter(({ thread }) => thread.contextValue !== "fixed");
    await this.#deps.saved.write(
      open.map(({ session, file, finding, hash }) => ({ session, file, finding, hash })),
    );
  }

  #add(saved: SavedFinding, range: vscode.Range): void {
    const { t } = this.#deps;
    const { file, finding } = saved;
    const thread = this.#startController().createCommentThread(vscode.Uri.file(file), range, []);
    thread.canReply = false;
    thread.contextValue = "finding";
    thread.label = labelOf(t, finding);
    thread.state = vscode.CommentThreadState.Unresolved;
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Collapsed;
    thread.comments = [commentOf(t, finding)];
    this.#threads.add({ ...saved, thread });
  }

  #startController(): vscode.CommentController {
    if (this.#controller) return this.#controller;
    const controller = vscode.comments.createCommentController(CONTROLLER, vscode.l10n.t("Nekode review"));
    this.#controller = controller;
    this.#store.add(controller);
    const command = (name: string, run: (shown: FindingThread) => Promise<void> | void) =>
      this.#store.add(
        commentCommand(`nekode.review.${name}`, async (thread: vscode.CommentThread) => {
          const shown = [...this.#threads].find((each) => each.thread === thread);
          if (shown) await run(shown);
        }),
      );
    command("fix", (shown) => this.#fix(shown));
    command("explain", (shown) => this.#explain(shown));
    command("dismiss", (shown) => this.#dismiss(shown));
    return controller;
  }

  async #fix(shown: FindingThread): Promise<void> {
    const { t } = this.#deps;
    const { thread, finding } = shown;
    const session = this.#sessionOf(shown);
    const document = await vscode.workspace.openTextDocument(thread.uri);
    const message = findingMessage(t, finding, "fix");
    shown.fix = { session: session.id, message, before: document.getText(), isSent: false };
    thread.contextValue = "fixing";
    thread.label = `${labelOf(t, finding)} (${vscode.l10n.t("being fixed")})`;
    await this.#send(session, message).catch((error: unknown) => {
      this.#reopen(shown);
      throw error;
    });
  }

  async #explain(shown: FindingThread): Promise<void> {
    await this.#send(this.#sessionOf(shown), findingMessage(this.#deps.t, shown.finding, "explain"));
  }

  #sessionOf({ session }: FindingThread): ReviewedSession {
    return this.#deps.project.find(session) ?? this.#deps.active();
  }

  async #send(session: ReviewedSession, message: string): Promise<void> {
    this.#deps.showPanel();
    await session.send(message, []);
  }

  /** Resolves a thread once the turn that was asked to fix its finding has changed the file. */
  async #follow(event: TaskEvent): Promise<void> {
    const fixing = [...this.#threads].filter(({ fix }) => fix?.session === event.session);
    for (const shown of fixing) {
      const { fix, thread, finding } = shown;
      if (!fix) continue;
      if (event.type === "message" && event.message.display === fix.message) fix.isSent = true;
      if (event.type !== "status" || event.status !== "idle" || !fix.isSent) continue;
      const document = await vscode.workspace.openTextDocument(thread.uri);
      if (document.getText() === fix.before) this.#reopen(shown);
      else {
        delete shown.fix;
        thread.contextValue = "fixed";
        thread.state = vscode.CommentThreadState.Resolved;
        thread.label = `${labelOf(this.#deps.t, finding)} (${vscode.l10n.t("fixed")})`;
        thread.collapsibleState = vscode.CommentThreadCollapsibleState.Collapsed;
        await this.#save();
      }
    }
  }

  #reopen(shown: FindingThread): void {
    delete shown.fix;
    shown.thread.contextValue = "finding";
    shown.thread.label = labelOf(this.#deps.t, shown.finding);
  }

  async #dismiss(shown: FindingThread): Promise<void> {
    this.#close(shown);
    await this.#save();
  }

  #close(shown: FindingThread): void {
    this.#threads.delete(shown);
    shown.thread.dispose();
  }

  dispose(): void {
    for (const shown of [...this.#threads]) this.#close(shown);
    this.#store.dispose();
  }
}

/** The finding's lines in the file as it is now; undefined: it is not certain where they are. */
function rangeIn(document: vscode.TextDocument, finding: ReviewFinding): vscode.Range | undefined {
  const { side, startLine, endLine, newLine, lineText } = finding;
  const last = document.lineCount - 1;
  if (side === "old") {
    const at = Math.min(last, (newLine ?? document.lineCount) - 1);
    return new vscode.Range(at, 0, at, 0);
  }
  const start = lineWithText(document, startLine - 1, lineText);
  if (start === undefined) return undefined;
  return linesFrom(document, start, endLine - startLine);
}

/** Where the file has the text that the finding was about: at the same lines, or at the only others that have it. */
function sameRangeIn(
  document: vscode.TextDocument,
  { finding, hash }: SavedFinding,
): vscode.Range | undefined {
  const known = rangeIn(document, finding);
  if (known && hashOf(document, known) === hash) return known;
  const { side, startLine, endLine, lineText } = finding;
  if (side === "old") return undefined;
  const same = linesWith(document, lineText).flatMap((line) => {
    const range = linesFrom(document, line, endLine - startLine);
    return hashOf(document, range) === hash ? [range] : [];
  });
  return same.length === 1 ? same[0] : undefined;
}

/** The whole line and so many more. */
function linesFrom(document: vscode.TextDocument, start: number, more: number): vscode.Range {
  const end = Math.min(document.lineCount - 1, start + more);
  return new vscode.Range(start, 0, end, document.lineAt(end).text.length);
}

function linesWith(document: vscode.TextDocument, text: string): number[] {
  const wanted = text.trim();
  return Array.from({ length: document.lineCount }, (_, line) => line).filter(
    (line) => document.lineAt(line).text.trim() === wanted,
  );
}

/** Of all lines of the range, because a removed line has its place before the whole line that follows it. */
function hashOf(document: vscode.TextDocument, { start, end }: vscode.Range): string {
  const lines = Array.from({ length: end.line - start.line + 1 }, (_, index) =>
    document.lineAt(start.line + index),
  );
  return createHash("sha256")
    .update(lines.map(({ text }) => text).join("\n"))
    .digest("base64");
}

/** The file may have been deleted since. */
async function openedOrUndefined(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  const stat = await Promise.resolve(vscode.workspace.fs.stat(uri)).catch(() => undefined);
  return stat && vscode.workspace.openTextDocument(uri);
}

/** The line, if it still has the text; else the only line that has it. A line with a masked secret is found by its number alone. */
function lineWithText(document: vscode.TextDocument, at: number, text: string): number | undefined {
  const wanted = text.trim();
  const hasText = (line: number) => document.lineAt(line).text.trim() === wanted;
  if (at < document.lineCount && (hasText(at) || /\[[^\]]* removed by Nekode\]/.test(text))) return at;
  const lines = linesWith(document, text);
  return lines.length === 1 ? lines[0] : undefined;
}

function labelOf(t: Translate, { severity, title }: ReviewFinding): string {
  return `${severityText(t, severity)}: ${title}`;
}

function commentOf(t: Translate, finding: ReviewFinding): vscode.Comment {
  const { body, suggestion } = finding;
  const parts = [body, ...(suggestion === undefined ? [] : [`${t("Suggestion:")} ${suggestion}`])];
  return {
    // Plain text: what the model wrote is no Markdown that could fetch something.
    body: parts.join("\n\n"),
    mode: vscode.CommentMode.Preview,
    author: { name: "Nekode" },
    label: certaintyText(t, finding),
  };
}
