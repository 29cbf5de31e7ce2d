/** Comments that the user writes on lines, as VS Code shows them. */
import * as vscode from "vscode";
import { messageOf } from "../../shared/message-of.ts";

export interface ShownComment extends vscode.Comment {
  text: string;
  thread: vscode.CommentThread;
}

export function shownComment(text: string, thread: vscode.CommentThread): ShownComment {
  return {
    // Plain text: what the user wrote is no Markdown that could fetch something.
    body: text,
    mode: vscode.CommentMode.Preview,
    author: { name: vscode.l10n.t("You") },
    text,
    thread,
  };
}

/** The first line of the thread, from 0. */
export function commentedLine({ range }: vscode.CommentThread): number {
  return range?.start.line ?? 0;
}

/** What the user wrote in the thread. */
export function textsOf({ comments }: vscode.CommentThread): string[] {
  return comments.flatMap((comment) =>
    "text" in comment && typeof comment.text === "string" ? [comment.text] : [],
  );
}

/** Registers a command of a comment's menu. What it rejects with is shown to the user. */
export function commentCommand(name: string, run: (argument: never) => Promise<void>): vscode.Disposable {
  return vscode.commands.registerCommand(name, (argument: never) =>
    run(argument).catch((error: unknown) => void vscode.window.showErrorMessage(messageOf(error))),
  );
}
