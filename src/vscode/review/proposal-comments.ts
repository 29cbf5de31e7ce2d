/**
 * The user's comments on lines of a proposed change. They are collected, and sent together as the reason with which the user rejects the
 * change, so that the model proposes it again with all of them in mind.
 */
import * as vscode from "vscode";
import type { Project } from "../../core/agent/project.ts";
import type { Session } from "../../core/agent/session.ts";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import { rowsOf } from "../../shared/view/reducer.ts";
import { PREVIEW_SCHEME } from "../editor/open-documents.ts";
import {
  commentCommand,
  commentedLine,
  type ShownComment,
  shownComment,
  textsOf,
} from "../editor/own-comments.ts";

export interface ProposalCommentsDeps {
  onEvent: Project["onEvent"];
  /** The edits of the session that wait for the user. */
  waitingEdits(session: string): readonly WaitingEdit[];
  reject(session: string, callId: string, comment: string): void;
  /** The change that the document proposes; undefined: it is not complete, or has ended. */
  proposed(uri: vscode.Uri): { path: string; session: string | undefined } | undefined;
  /** The path that the user sees. */
  nameOf(file: string): string;
  /** Of the documents of proposals. Only tests pass one. */
  scheme?: string;
}

export interface WaitingEdit {
  callId: string;
  /** The files that it changes. Absolute. */
  files: readonly string[];
}

export function waitingEdits({
  chatView,
  approvals,
}: Pick<Session, "chatView" | "approvals">): WaitingEdit[] {
  return rowsOf(chatView).flatMap((row) => {
    if (row.kind !== "call" || row.state !== "approval") return [];
    const written = approvals.paths(row.id).filter(({ access }) => access === "write");
    return [{ callId: row.id, files: written.map(({ path }) => path) }];
  });
}

/** Menus name it. */
const CONTROLLER = "nekode.proposal";
/** Characters of a quoted line. */
const QUOTE_LENGTH = 300;

/** A call that waits for the user, of which the document shows a file. */
interface WaitingProposal {
  session: string;
  callId: string;
}

export class ProposalComments implements Disposable {
  readonly #deps: ProposalCommentsDeps;
  readonly #scheme: string;
  readonly #store = new DisposableStore();
  readonly #threads = new Set<vscode.CommentThread>();
  #controller: vscode.CommentController | undefined;

  constructor(deps: ProposalCommentsDeps) {
    this.#deps = deps;
    this.#scheme = deps.scheme ?? PREVIEW_SCHEME;
    const opened = ({ uri }: vscode.TextDocument) => {
      if (uri.scheme === this.#scheme) this.#startController();
    };
    this.#store.add(vscode.workspace.onDidOpenTextDocument(opened));
    this.#store.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#closed(uri)));
    this.#store.add(
      deps.onEvent(({ type }) => {
        // The proposal is complete only now, and VS Code asks for the lines once.
        if (type === "approval" && this.#controller) this.#offerLines(this.#controller);
      }),
    );
    for (const document of vscode.workspace.textDocuments) opened(document);
  }

  #startController(): void {
    if (this.#controller) return;
    const controller = vscode.comments.createCommentController(CONTROLLER, vscode.l10n.t("Proposed change"));
    this.#controller = controller;
    controller.options = {
      prompt: vscode.l10n.t("Add a comment on this line of the change"),
      placeHolder: vscode.l10n.t("What should be different here?"),
    };
    this.#offerLines(controller);
    this.#store.add(controller);
    this.#store.add(
      commentCommand("nekode.proposal.addComment", (reply: vscode.CommentReply) => this.#add(reply)),
    );
    this.#store.add(
      commentCommand("nekode.proposal.deleteComment", async (comment: ShownComment) => this.#remove(comment)),
    );
    this.#store.add(
      commentCommand("nekode.proposal.sendComments", (thread: vscode.CommentThread) => this.#send(thread)),
    );
  }

  #offerLines(controller: vscode.CommentController): void {
    controller.commentingRangeProvider = {
      provideCommentingRanges: (document) =>
        this.#waiting(document.uri) ? [new vscode.Range(0, 0, Math.max(0, document.lineCount - 1), 0)] : [],
    };
  }

  #waiting(uri: vscode.Uri): WaitingProposal | undefined {
    const shown = uri.scheme === this.#scheme ? this.#deps.proposed(uri) : undefined;
    if (shown?.session === undefined) return undefined;
    const { path: file, session } = shown;
    const edit = this.#deps.waitingEdits(session).find(({ files }) => files.includes(file));
    return edit && { session, callId: edit.callId };
  }

  async #add({ thread, text }: vscode.CommentReply): Promise<void> {
    if (text.trim() === "") return;
    if (!this.#waiting(thread.uri))
      throw new Error(vscode.l10n.t("This change is not waiting for approval."));
    this.#threads.add(thread);
    thread.label = vscode.l10n.t("Comment on the proposed change");
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
    thread.comments = [...thread.comments, shownComment(text.trim(), thread)];
  }

  #remove(comment: ShownComment): void {
    const { thread } = comment;
    thread.comments = thread.comments.filter((each) => each !== comment);
    if (thread.comments.length > 0) return;
    this.#threads.delete(thread);
    thread.dispose();
  }

  /** Rejects the change with all comments on the files of its call. */
  async #send({ uri }: vscode.CommentThread): Promise<void> {
    const waiting = this.#waiting(uri);
    if (!waiting) throw new Error(vscode.l10n.t("This change is not waiting for approval."));
    const threads = [...this.#threads].filter(
      (thread) => this.#waiting(thread.uri)?.callId === waiting.callId,
    );
    const comments = await Promise.all(threads.map((thread) => this.#text(thread)));
    // They must be gone before the preview closes, because comments that are left then were not sent.
    for (const thread of threads) {
      this.#threads.delete(thread);
      thread.dispose();
    }
    const head = vscode.l10n.t("Comments on lines of the proposed change:");
    this.#deps.reject(waiting.session, waiting.callId, [head, ...comments].join("\n\n"));
  }

  async #text(thread: vscode.CommentThread): Promise<string> {
    const document = await vscode.workspace.openTextDocument(thread.uri);
    const file = this.#deps.proposed(thread.uri)?.path ?? thread.uri.path;
    const line = Math.min(commentedLine(thread), document.lineCount - 1);
    const quote = document.lineAt(line).text.trim().slice(0, QUOTE_LENGTH).replaceAll("`", "'");
    const place = vscode.l10n.t("{0}, line {1}:", this.#deps.nameOf(file), line + 1);
    return [`${place} \`${quote}\``, ...textsOf(thread)].join("\n");
  }

  /** The change was approved, rejected or withdrawn without the comments. The user may still need what they wrote. */
  #closed(uri: vscode.Uri): void {
    const threads = [...this.#threads].filter((thread) => thread.uri.toString() === uri.toString());
    if (threads.length === 0) return;
    const texts = threads.flatMap(textsOf);
    for (const thread of threads) {
      this.#threads.delete(thread);
      thread.dispose();
    }
    const copy = vscode.l10n.t("Copy Comments");
    const words = vscode.l10n.t("The change was decided on without your comments.");
    void vscode.window.showInformationMessage(words, copy).then((chosen) => {
      if (chosen === copy) void vscode.env.clipboard.writeText(texts.join("\n\n"));
    });
  }

  dispose(): void {
    for (const thread of this.#threads) thread.dispose();
    this.#threads.clear();
    this.#store.dispose();
  }
}
