import { useEffect, useRef } from "react";
import { pendingCall } from "../src/shared/view/chat-view.ts";
import { Announcer } from "./announcer.tsx";
import { Composer } from "./composer/composer.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { Header, WorktreeLine } from "./header.tsx";
import { useEscape } from "./keys/use-escape.ts";
import { type OnDemand, onDemand } from "./on-demand.tsx";
import { usePanel, usePanelState, useView } from "./panel.ts";
import type { ScreenName } from "./store.ts";
import { Button, IconButton } from "./toolkit/button.tsx";
import { Icon } from "./toolkit/icon.tsx";
import { Welcome } from "./welcome/welcome.tsx";

/** A separate chunk, which index.tsx requests immediately, so that the composer appears first. */
export const TranscriptPart = onDemand(() => import("./transcript/transcript.tsx"));
const DemonstrationNote = onDemand(() => import("./welcome/demonstration-note.tsx"));
const TaskHereNote = onDemand(() => import("./welcome/task-here-note.tsx"));
const QueueList = onDemand(() => import("./queue/queue.tsx"));
const SendingList = onDemand(() => import("./drafts/sending-list.tsx"));
const ApprovalLine = onDemand(() => import("./approval/approval-line.tsx"));
const BackgroundLine = onDemand(() => import("./background/background-line.tsx"));
const SessionList = onDemand(() => import("./sessions/session-list.tsx"));
const TodoList = onDemand(() => import("./todo-list.tsx"));

/** The screens that cover the conversation, each in a chunk of its own. */
export const screens: Readonly<Record<Exclude<ScreenName, "chat">, OnDemand<object>>> = {
  history: onDemand(() => import("./screens/history.tsx")),
  rules: onDemand(() => import("./screens/rules.tsx")),
  servers: onDemand(() => import("./screens/servers.tsx")),
  hooks: onDemand(() => import("./screens/hooks.tsx")),
  plugins: onDemand(() => import("./screens/plugins.tsx")),
  memory: onDemand(() => import("./screens/memory.tsx")),
  tools: onDemand(() => import("./screens/tools.tsx")),
  health: onDemand(() => import("./screens/health.tsx")),
  connections: onDemand(() => import("./screens/connections.tsx")),
  help: onDemand(() => import("./screens/help.tsx")),
};

const blankScreen = <div className="history" aria-busy="true" />;

export function App() {
  const screen = usePanelState((state) => state.screen);
  const opened = usePanelState((state) => state.opened);
  const chat = useRef<HTMLElement>(null);
  const stopping = useEscape();
  const Covering = screen === "chat" ? undefined : screens[screen];
  useFocusBack(screen !== "chat");
  return (
    <div className="app">
      <main className="chat" ref={chat} inert={screen !== "chat"} aria-busy={!opened} {...stopping}>
        <Header />
        <WorktreeLine />
        <PanelPart>
          <Others />
          <Todo />
          <Conversation />
          <Sending />
        </PanelPart>
        <PanelPart>
          <StopHint />
          <Queue />
          <Background />
          <Waits />
          <Demonstration />
          <TaskHere />
        </PanelPart>
        <Problem />
        <Composer />
      </main>
      {Covering === undefined ? null : (
        <PanelPart>
          <Covering fallback={blankScreen} />
        </PanelPart>
      )}
      <Announcer />
    </div>
  );
}

/** Restores the focus when a screen that covered the conversation closes; the composer gets it if nothing had it. */
function useFocusBack(covered: boolean): void {
  const { composer } = usePanel();
  const before = useRef<Element | null>(null);
  if (covered && !before.current) before.current = document.activeElement;
  useEffect(() => {
    if (covered) return;
    const { current } = before;
    before.current = null;
    if (current === document.body) composer.focus();
    else if (current instanceof HTMLElement) current.focus();
  }, [covered, composer]);
}

/** A part that may fail on its own without affecting the composer or its text. */
export function PanelPart({ children }: { children: React.ReactNode }) {
  const { t, actions, store } = usePanel();
  return (
    <ErrorBoundary
      fallback={(error, again) => (
        <div className="error failed-part" role="alert">
          <p>{t("Part of the panel failed. Nothing was lost.")}</p>
          <p className="detail">{error.message}</p>
          <Button
            onPress={() => {
              store.show("chat");
              void actions.open().then(again);
            }}
          >
            {t("Reload panel")}
          </Button>
        </div>
      )}
    >
      {children}
    </ErrorBoundary>
  );
}

/** After the first Escape, which only asks. */
function StopHint() {
  const { t } = usePanel();
  const stops = usePanelState((state) => state.stopsNext);
  const busy = useView(({ status }) => status !== "idle" && status !== "stopping");
  return stops && busy ? (
    <div className="status" role="status">
      {t("Press Esc again to stop")}
    </div>
  ) : null;
}

function Waits() {
  const pending = useView((view) => pendingCall(view) !== undefined);
  return pending ? <ApprovalLine /> : null;
}

function Background() {
  const none = useView((view) => view.background.every(({ ended }) => ended));
  return none ? null : <BackgroundLine />;
}

/** Tasks other than the one of the active session. */
function Others() {
  const shown = useView((view) => view.session?.id);
  const none = usePanelState(({ sessions }) => sessions.every(({ id }) => id === shown));
  return none ? null : <SessionList />;
}

function Todo() {
  const { t } = usePanel();
  const none = useView((view) => view.todo.trim() === "");
  // Reserves the height of the list: if rows moved under the pointer, a click would miss its button.
  const line = (
    <div className="todo" aria-busy="true">
      <details>
        <summary>
          <span className="only-heard">{t("Todo list")}</span>
          {"\u00a0"}
        </summary>
      </details>
    </div>
  );
  return none ? null : <TodoList fallback={line} />;
}

function Demonstration() {
  const none = usePanelState((state) => state.setup?.demonstration === undefined);
  return none ? null : <DemonstrationNote />;
}

/** The task of another project whose worktree is the open folder. */
function TaskHere() {
  const none = usePanelState((state) => state.setup?.taskHere === undefined);
  return none ? null : <TaskHereNote />;
}

function Conversation() {
  const shown = usePanelState((state) => state.opened || state.remembered);
  const empty = useView((view) => view.settled.length + view.live.length === 0);
  const sends = usePanelState(({ sending }) => sending.length > 0);
  const blank = <div className="transcript" aria-busy="true" />;
  if (!shown || (empty && sends)) return blank;
  return empty ? <Welcome /> : <TranscriptPart fallback={blank} />;
}

function Queue() {
  const none = useView((view) => view.queue.length === 0);
  return none ? null : <QueueList />;
}

/** Messages that the host has not accepted yet. */
function Sending() {
  const none = usePanelState(({ sending }) => sending.length === 0);
  return none ? null : <SendingList />;
}

/** Shows a failed request of the panel until the user dismisses it. */
function Problem() {
  const { t, actions, store } = usePanel();
  const problem = usePanelState((state) => state.problem);
  const opened = usePanelState((state) => state.opened);
  if (problem === null) return null;
  const retry = () => {
    store.report(null);
    void actions.open();
  };
  return (
    <div className="problem" role="alert">
      <span>{t("The action failed: {0}", problem)}</span>
      {opened ? (
        <IconButton label={t("Dismiss")} onPress={() => store.report(null)}>
          <Icon name="close" />
        </IconButton>
      ) : (
        <Button onPress={retry}>{t("Retry")}</Button>
      )}
    </div>
  );
}
