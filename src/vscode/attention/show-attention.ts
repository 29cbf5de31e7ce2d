/** Shows in VS Code what waits for the user while the panel is hidden: a badge, the status bar, a notification, a sound. */
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import type { TaskEvent } from "../../shared/event.ts";
import type { Settings } from "../../shared/settings.ts";
import type { ChatView } from "../../shared/view/reducer.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import { attentionText, type Waiting, WaitingState } from "./waiting-state.ts";

/** The view that contains the panel. */
export interface AttentionPanel {
  readonly visible: boolean;
  readonly onVisible: (listener: () => void) => Disposable;
  /** undefined: no badge. */
  badge(tooltip: string | undefined): void;
}

export interface AttentionParts {
  agent: { sessionId: string; view: ChatView; onEvent(listener: (event: TaskEvent) => void): Disposable };
  panel: AttentionPanel;
  settings(): Settings["notifications"];
  t: Translate;
  playSound(): void;
}

const ICONS: Record<Waiting, string> = {
  approval: "bell-dot",
  question: "question",
  done: "check",
  failed: "warning",
};

export function showAttention({ agent, panel, settings, t, playSound }: AttentionParts): Disposable {
  const store = new DisposableStore();
  const waits = new WaitingState(() => agent.view);
  const item = store.add(vscode.window.createStatusBarItem("nekode.state", vscode.StatusBarAlignment.Right));
  item.name = "Nekode";
  item.command = { command: "nekode.show", title: t("Show Nekode") };
  /** What was announced, so that each is announced once. */
  let announced = "";

  const announce = (waiting: Waiting, text: string) => {
    const key = `${waiting} ${text}`;
    if (key === announced) return;
    announced = key;
    const { enabled, sound } = settings();
    if (sound) playSound();
    if (!enabled || panel.visible) return;
    const show = t("Show");
    void vscode.window.showInformationMessage(text, show).then((pressed) => {
      if (pressed === show) return vscode.commands.executeCommand("nekode.show");
      return undefined;
    });
  };
  const update = () => {
    const { state } = waits;
    const { waiting } = state;
    const text = attentionText(t, agent.view, state);
    if (text === undefined) item.hide();
    else {
      item.text = `$(${waiting ? ICONS[waiting] : "loading~spin"}) Nekode`;
      item.tooltip = text;
      item.accessibilityInformation = { label: text, role: "button" };
      const asks = waiting === "approval" || waiting === "question";
      item.backgroundColor =
        asks && !panel.visible ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
      item.show();
    }
    const hidden = !panel.visible;
    panel.badge(hidden && waiting ? text : undefined);
    if (waiting === undefined) announced = "";
    else if (text !== undefined && (hidden || !vscode.window.state.focused)) announce(waiting, text);
  };
  store.add(
    agent.onEvent((event) => {
      if (event.session !== agent.sessionId) return;
      if (event.type !== "status" && event.type !== "session" && event.type !== "approval") return;
      waits.fold(event, panel.visible);
      update();
    }),
  );
  store.add(
    panel.onVisible(() => {
      if (panel.visible) waits.seen();
      update();
    }),
  );
  update();
  return store;
}
