/** Shows in VS Code what waits for the user while the panel is hidden: a badge, the status bar, a notification, a sound. */
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import type { Settings } from "../../shared/settings.ts";
import type { ChatView } from "../../shared/view/reducer.ts";
import { byState, type SessionItem, type SessionState } from "../../shared/view/session-item.ts";
import { sessionText } from "../../shared/words/session-words.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import { type ActiveView, followActive } from "./active-session.ts";
import { attentionText, WaitingState } from "./waiting-state.ts";

/** Every view of the panel. */
export interface AttentionPanel {
  readonly visible: boolean;
  /** The user sees the session. */
  sees(session: string): boolean;
  readonly onVisible: (listener: () => void) => Disposable;
  /** The badge shows the number of these texts, and its tooltip contains them. */
  badge(texts: readonly string[]): void;
}

export interface AttentionParts {
  /** The view whose session counts as active. */
  view: ActiveView & { readonly active: { readonly id: string; readonly chatView: ChatView } };
  overview: { readonly all: readonly SessionItem[]; onChange(listener: () => void): Disposable };
  panel: AttentionPanel;
  settings(): Settings["notifications"];
  t: Translate;
  playSound(): void;
}

const ICONS: Record<SessionState, string> = {
  approval: "bell-dot",
  question: "question",
  failed: "warning",
  interrupted: "warning",
  done: "check",
  working: "loading~spin",
  queued: "loading~spin",
};

/** The task continues when the user answers. */
const ASKS: ReadonlySet<SessionState> = new Set<SessionState>(["approval", "question"]);

/** What the user should be notified of. `id`: absent for the active session. */
interface News {
  id?: string;
  state: SessionState;
  text: string;
}

export function showAttention({ view, overview, panel, settings, t, playSound }: AttentionParts): Disposable {
  const store = new DisposableStore();
  const waits = new WaitingState(() => view.active.chatView);
  const item = store.add(vscode.window.createStatusBarItem("nekode.state", vscode.StatusBarAlignment.Right));
  item.name = "Nekode";
  item.command = { command: "nekode.show", title: t("Show Nekode") };
  /** Notifications that were shown and still apply, so that each is shown once. */
  let announced: ReadonlySet<string> = new Set();

  /** Other sessions whose task has run in this window. Restored sessions do not notify, because their state is not new. */
  const worked = new Set<string>();
  const isKnown = (news: News, known: ReadonlySet<string>) =>
    known.has(keyOf(news)) ||
    (news.id !== undefined && !worked.has(news.id)) ||
    // The list in the visible panel already shows it.
    (news.id !== undefined && !ASKS.has(news.state) && panel.visible);

  const announce = ({ id, text }: News) => {
    const { enabled, sound } = settings();
    if (sound) playSound();
    if (!enabled || panel.visible) return;
    const show = t("Show");
    void vscode.window.showInformationMessage(text, show).then((pressed) => {
      if (pressed !== show) return undefined;
      return id === undefined
        ? vscode.commands.executeCommand("nekode.show")
        : vscode.commands.executeCommand("nekode.showWaiting", id);
    });
  };
  /** What there is to report about all tasks, most urgent first. */
  const allNews = (): News[] => {
    const own = waits.state;
    const text = attentionText(t, view.active.chatView, own);
    const active = text === undefined ? [] : [{ state: own.waiting ?? ("working" as const), text }];
    const others = overview.all
      .filter(({ id }) => id !== view.active.id)
      .map((other) => ({ id: other.id, state: other.state, text: sessionText(t, other) }));
    return [...active, ...others].sort(byState);
  };
  const update = () => {
    const news = allNews();
    const [first] = news;
    const waiting = news.filter(({ state }) => state !== "working" && state !== "queued");
    const text = news.map((each) => each.text).join("\n");
    if (first === undefined) item.hide();
    else {
      item.text = `$(${ICONS[first.state]}) Nekode`;
      item.tooltip = text;
      item.accessibilityInformation = { label: text, role: "button" };
      item.backgroundColor =
        ASKS.has(first.state) && !panel.visible
          ? new vscode.ThemeColor("statusBarItem.warningBackground")
          : undefined;
      item.show();
    }
    const hidden = !panel.visible;
    panel.badge(hidden ? waiting.map((each) => each.text) : []);
    for (const { id, state } of news) if (id !== undefined && state === "working") worked.add(id);
    const isUnseen = hidden || !vscode.window.state.focused;
    const before = announced;
    announced = new Set(waiting.filter((each) => isUnseen || isKnown(each, before)).map(keyOf));
    if (isUnseen) for (const each of waiting) if (!isKnown(each, before)) announce(each);
  };
  store.add(
    followActive(view, (event) => {
      if (event.type === "switched")
        waits.switched(overview.all.some(({ id, state }) => id === view.active.id && state === "question"));
      else if (event.type === "status" || event.type === "session" || event.type === "approval")
        waits.fold(event, panel.sees(view.active.id));
      else return;
      update();
    }),
  );
  store.add(overview.onChange(update));
  store.add(
    panel.onVisible(() => {
      if (panel.sees(view.active.id)) waits.seen();
      update();
    }),
  );
  update();
  return store;
}

const keyOf = ({ id = "", state, text }: News): string => `${id} ${state} ${text}`;
