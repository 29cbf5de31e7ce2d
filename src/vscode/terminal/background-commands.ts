/** Commands that go on in the background when their session is left: said with one click to end them, or ended. */
import * as vscode from "vscode";
import type { Disposable } from "../../core/lifecycle.ts";
import type { Shell } from "../../core/ports/shell.ts";
import type { TaskEvent } from "../../shared/event.ts";

type Background = Pick<Shell, "background" | "end">;

export interface SessionEnds {
  agent: { onEvent(listener: (event: TaskEvent) => void): Disposable };
  shell: Background;
  /** The person wants them ended with their session. */
  endWithSession(): boolean;
  /** Shows a sentence with one button; resolves to whether it was pressed. */
  ask?(sentence: string, button: string): Promise<boolean>;
}

/** From now on. When the window closes the host ends them in any case. */
export function watchSessionEnds({ agent, shell, endWithSession, ask = notify }: SessionEnds): Disposable {
  let session = "";
  /** Those that the person was told of. */
  const told = new Set<string>();
  return agent.onEvent((event) => {
    if (event.type !== "session") return;
    const left = session !== "" && event.id !== session;
    session = event.id;
    const running = left ? shell.background().filter(({ id }) => !told.has(id)) : [];
    if (running.length === 0) return;
    const ids = running.map(({ id }) => id);
    if (endWithSession()) {
      void shell.end(ids);
      return;
    }
    for (const id of ids) told.add(id);
    const sentence =
      running.length === 1
        ? vscode.l10n.t("Still running in the background: {0}", named(running))
        : vscode.l10n.t("{0} commands still run in the background: {1}", running.length, named(running));
    void ask(sentence, vscode.l10n.t("End")).then((pressed) => (pressed ? shell.end(ids) : undefined));
  });
}

/** Asks which of the commands in the background to end, all of them to begin with, and ends those. */
export async function endBackgroundCommands(shell: Background | undefined): Promise<void> {
  const running = shell?.background() ?? [];
  if (shell === undefined || running.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t("No command runs in the background."));
    return;
  }
  const items = running.map(({ id, command }) => ({ id, label: oneLine(command), picked: true }));
  const chosen = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    title: vscode.l10n.t("End these commands"),
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
