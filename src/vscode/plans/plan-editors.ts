/**
 * Plans in editors: each is a Markdown file in the data folder, on whose lines the user can comment. The comments are kept until they
 * are sent or deleted. What the user changes in the file is handed over when the plan starts.
 */
import * as path from "node:path";
import * as vscode from "vscode";
import type { Project } from "../../core/agent/project.ts";
import type { Session } from "../../core/agent/session.ts";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import type { Log } from "../../core/ports/system.ts";
import { PLANS_FOLDER, type PlanComment } from "../../core/sessions/plan-documents.ts";
import { planActionSchema } from "../../shared/plan-action.ts";
import type { Result } from "../../shared/protocol.ts";
import {
  commentCommand,
  commentedLine,
  type ShownComment,
  shownComment,
  textsOf,
} from "../editor/own-comments.ts";

export interface PlanEditorsDeps {
  project: { find(id: string): PlanSession | undefined; onEvent: Project["onEvent"] };
  /** The folder of the session store. */
  storeFolder: string;
  log: Log;
}

export type PlanSession = Pick<Session, "id" | "plans" | "sendPlanComments">;

/** A plan that is open in an editor. */
interface OpenPlan {
  session: string;
  callId: string;
  uri: vscode.Uri;
  threads: Set<vscode.CommentThread>;
  /** The lines that the threads are about, as they were when the user wrote the first comment. */
  quotes: Map<vscode.CommentThread, string>;
}

/** Menus name it. */
const CONTROLLER = "nekode.plans";

export class PlanEditors implements Disposable {
  readonly #deps: PlanEditorsDeps;
  readonly #store = new DisposableStore();
  /** By file. */
  readonly #open = new Map<string, OpenPlan>();
  #controller: vscode.CommentController | undefined;

  constructor(deps: PlanEditorsDeps) {
    this.#deps = deps;
    const attach = (document: vscode.TextDocument) => void this.#attach(document);
    this.#store.add(vscode.workspace.onDidOpenTextDocument(attach));
    this.#store.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#detach(uri.fsPath)));
    this.#store.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        const plan = this.#open.get(document.uri.fsPath);
        if (plan) void this.#session(plan)?.plans.report();
      }),
    );
    this.#store.add(
      deps.project.onEvent((event) => {
        if (event.type !== "plan") return;
        // The session was opened, or its plan was revised or its comments sent.
        for (const document of vscode.workspace.textDocuments) attach(document);
        for (const plan of this.#open.values())
          if (plan.session === event.session) this.#follow(plan, event.plan);
      }),
    );
    for (const document of vscode.workspace.textDocuments) attach(document);
  }

  /** Does what the panel asks for. Rejects for what is not a request. */
  async answer(ask: unknown, session: PlanSession): Promise<Result<"plans/ask">> {
    const action = planActionSchema.parse(ask);
    if (action.action === "open") await this.open(session, action.callId);
    else await session.sendPlanComments();
    return { list: null };
  }

  async open(session: PlanSession, callId: string): Promise<void> {
    const file = path.join(this.#deps.storeFolder, await session.plans.open(callId));
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
    await this.#attach(document);
    await vscode.window.showTextDocument(document, { preview: false });
  }

  /** Lets the user comment on the document, if it is a plan of an open session. Never rejects. */
  async #attach(document: vscode.TextDocument): Promise<void> {
    const { fsPath } = document.uri;
    const name = path.relative(this.#deps.storeFolder, fsPath).split(path.sep).join("/");
    const [folder, id = ""] = name.split("/");
    if (document.uri.scheme !== "file" || folder !== PLANS_FOLDER || this.#open.has(fsPath)) return;
    try {
      const session = this.#deps.project.find(id);
      const callId = await session?.plans.ofFile(name);
      if (!session || callId === undefined || this.#open.has(fsPath)) return;
      const plan: OpenPlan = {
        session: id,
        callId,
        uri: document.uri,
        threads: new Set(),
        quotes: new Map(),
      };
      this.#open.set(fsPath, plan);
      if (session.plans.find()?.callId !== callId) return;
      const comments = await session.plans.comments(callId);
      const controller = this.#startController();
      for (const [line, group] of byLine(comments)) {
        const at = Math.min(line, Math.max(0, document.lineCount - 1));
        const thread = controller.createCommentThread(document.uri, new vscode.Range(at, 0, at, 0), []);
        this.#keep(plan, thread, group[0]?.quote ?? "");
        thread.comments = group.map(({ text }) => shownComment(text, thread));
      }
    } catch (error) {
      this.#deps.log.error("the comments on a plan are not shown", error);
    }
  }

  #detach(file: string): void {
    const plan = this.#open.get(file);
    for (const thread of plan?.threads ?? []) thread.dispose();
    this.#open.delete(file);
  }

  /** Comments end when they were sent, and when another plan has replaced theirs. */
  #follow(plan: OpenPlan, newest: { callId: string; comments: number }): void {
    if (plan.callId === newest.callId && newest.comments > 0) return;
    for (const thread of plan.threads) {
      if (thread.comments.length === 0) continue;
      thread.dispose();
      plan.threads.delete(thread);
    }
  }

  #startController(): vscode.CommentController {
    if (this.#controller) return this.#controller;
    const controller = vscode.comments.createCommentController(CONTROLLER, vscode.l10n.t("Plan"));
    this.#controller = controller;
    controller.options = {
      prompt: vscode.l10n.t("Add a comment on this line of the plan"),
      placeHolder: vscode.l10n.t("What should change here?"),
    };
    controller.commentingRangeProvider = {
      provideCommentingRanges: (document) =>
        this.#isNewest(document.uri) ? [new vscode.Range(0, 0, Math.max(0, document.lineCount - 1), 0)] : [],
    };
    this.#store.add(controller);
    const command = (name: string, run: (argument: never) => Promise<void>) =>
      this.#store.add(commentCommand(name, run));
    command("nekode.plan.addComment", (reply: vscode.CommentReply) => this.#add(reply));
    command("nekode.plan.deleteComment", (comment: ShownComment) => this.#remove(comment));
    command("nekode.plan.sendComments", () => this.#send());
    // Shows the command in the Command Palette.
    void vscode.commands.executeCommand("setContext", "nekode.planOpen", true);
    return controller;
  }

  #isNewest(uri: vscode.Uri): boolean {
    const plan = this.#open.get(uri.fsPath);
    return plan !== undefined && this.#session(plan)?.plans.find()?.callId === plan.callId;
  }

  #session({ session }: OpenPlan): PlanSession | undefined {
    return this.#deps.project.find(session);
  }

  #keep(plan: OpenPlan, thread: vscode.CommentThread, quote: string): void {
    plan.threads.add(thread);
    plan.quotes.set(thread, quote);
    thread.label = vscode.l10n.t("Comment on the plan");
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
  }

  async #add({ thread, text }: vscode.CommentReply): Promise<void> {
    const plan = this.#open.get(thread.uri.fsPath);
    if (!plan || text.trim() === "") return;
    if (!this.#isNewest(thread.uri))
      throw new Error(vscode.l10n.t("A newer plan has replaced this one. Comment on that plan."));
    if (!plan.threads.has(thread)) {
      const document = await vscode.workspace.openTextDocument(thread.uri);
      this.#keep(plan, thread, document.lineAt(commentedLine(thread)).text);
    }
    thread.comments = [...thread.comments, shownComment(text.trim(), thread)];
    await this.#save(plan);
  }

  async #remove({ thread, text }: ShownComment): Promise<void> {
    const plan = this.#open.get(thread.uri.fsPath);
    if (!plan) return;
    thread.comments = thread.comments.filter((each) => !("text" in each) || each.text !== text);
    if (thread.comments.length === 0) {
      plan.threads.delete(thread);
      thread.dispose();
    }
    await this.#save(plan);
  }

  async #save(plan: OpenPlan): Promise<void> {
    const comments = [...plan.threads].flatMap((thread): PlanComment[] =>
      textsOf(thread).map((text) => ({
        line: commentedLine(thread),
        quote: plan.quotes.get(thread) ?? "",
        text,
      })),
    );
    await this.#session(plan)?.plans.setComments(plan.callId, comments);
  }

  /** Sends the comments on the plan that the user sees, or else on the first one that has any. */
  async #send(): Promise<void> {
    const active = this.#open.get(vscode.window.activeTextEditor?.document.uri.fsPath ?? "");
    const plan = active ?? [...this.#open.values()].find(({ threads }) => threads.size > 0);
    const session = plan && this.#session(plan);
    if (!session || (await session.plans.comments(plan.callId)).length === 0)
      throw new Error(vscode.l10n.t("There are no comments on a plan to send."));
    await session.sendPlanComments();
  }

  dispose(): void {
    for (const file of [...this.#open.keys()]) this.#detach(file);
    this.#store.dispose();
  }
}

/** The text of a file that the user changed in an editor and has not saved. */
export function unsavedText(file: string): string | undefined {
  const document = vscode.workspace.textDocuments.find(
    ({ uri }) => uri.scheme === "file" && uri.fsPath === file,
  );
  return document?.isDirty ? document.getText() : undefined;
}

function byLine(comments: readonly PlanComment[]): Map<number, PlanComment[]> {
  const lines = new Map<number, PlanComment[]>();
  for (const comment of comments) lines.set(comment.line, [...(lines.get(comment.line) ?? []), comment]);
  return lines;
}
