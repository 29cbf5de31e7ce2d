/** When the user leaves a session whose commands still run in the background, ends them or offers to end them. */
import * as vscode from "vscode";
import type { Disposable } from "../../core/lifecycle.ts";
import type { Shell } from "../../core/ports/shell.ts";
import type { ChatView } from "../../shared/view/reducer.ts";
import { type ActiveView, followActive } from "../attention/active-session.ts";

type Background = Pick<Shell, "background" | "end">;

export interface SessionEnds {
  view: ActiveView & { readonly active: { readonly chatView: Pick<ChatView, "session"> } };
  shell: Background;
  /** Ids of the commands that belong to tasks that are still working in the background. */
  stillNeeded(): ReadonlySet<string>;
  /** The user's setting: whether background commands end with their session. */
  endWithSession(): boolean;
  /** Shows a message with one button; resolves to whether the user pressed it. */
  ask?(sentence: string, button: string): Promise<boolean>;
}

/**
 * Watches until disposed. `left` must be called when the user leaves the last watched session. When the window closes, the host
 * ends all commands in any case.
 */
export function watchSessionEnds({
  view,
  shell,
  stillNeeded,
  endWithSession,
  ask = notify,
}: SessionEnds): Disposable & { left(): void } {
  let session = "";
  /** Ids of the commands that were already offered. */
  const offered = new Set<string>();
  const show = (shown: string) => {
    const wasLeft = session !== "" && shown !== session;
    session = shown;
    const needed = stillNeeded();
    const running = wasLeft ? shell.background().filter(({ id }) => !offered.has(id) && !needed.has(id)) : [];
    if (running.length === 0) return;
    const ids = running.map(({ id }) => id);
    if (endWithSession()) {
      void shell.end(ids);
      return;
    }
    for (const id of ids) offered.add(id);
    const sentence =
      running.length === 1
        ? vscode.l10n.t("Still running in the background: {0}", named(running))
        : vscode.l10n.t("{0} commands still running in the background: {1}", running.length, named(running));
    void ask(sentence, vscode.l10n.t("End")).then((pressed) => (pressed ? shell.end(ids) : undefined));
  };
  const following = followActive(view, ({ type }) => {
    if (type === "session" || type === "switched") show(view.active.chatView.session?.id ?? "");
  });
  return { left: () => show(""), dispose: () => following.dispose() };
}

/** Lets the user select which background commands to end (all are preselected), and ends them. */
export async function endBackgroundCommands(shell: Background | undefined): Promise<void> {
  const running = shell?.background() ?? [];
  if (shell === undefined || running.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t("No commands are running in the background."));
    return;
  }
  const items = running.map(({ id, command }) => ({ id, label: oneLine(command), picked: true }));
  const chosen = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    title: vscode.l10n.t("Select the commands to end"),
  });
  await shell.end((chosen ?? []).map(({ id }) => id));
}

async function notify(sentence: string, button: string): Promise<boolean> {
  return (await vscode.window.showInformationMessage(sentence, button)) === button;
}

function named(commands: readonly { command: string }[]): string {
  const shown = commands.slice(0, 3).map(({ command }) => oneLine(command));
  return [...shown, ...(commands.length > shown.length ? ["…"] : [])].join(" · ");
}

function oneLine(command: string): string {
  const line = command.replace(/\s+/g, " ").trim();
  return line.length > 80 ? `${line.slice(0, 80)}…` : line;
}
