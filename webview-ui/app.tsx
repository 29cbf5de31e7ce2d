import { type ComponentType, lazy, Suspense, useEffect, useRef } from "react";
import { Announcer } from "./announcer.tsx";
import { ApprovalBar } from "./approval/approval-bar.tsx";
import { Composer } from "./composer/composer.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { Header } from "./header.tsx";
import { Meters } from "./meters.tsx";
import { usePanel, usePanelState, useView } from "./panel.ts";
import { Queue } from "./queue.tsx";
import { EmptyState } from "./screens/empty-state.tsx";
import { StatusLine } from "./status-line.tsx";
import type { Screen } from "./store.ts";
import { Button, IconButton } from "./toolkit/button.tsx";
import { Icon } from "./toolkit/icon.tsx";

/** A chunk of its own, which index.tsx requests at once, so that the composer appears first. */
const Transcript = lazy(() => import("./transcript/transcript.tsx"));
const TodoList = lazy(() => import("./todo-list.tsx"));

/** The screens that cover the conversation, each in a chunk of its own. */
const screens: Readonly<Record<Exclude<Screen, "chat">, ComponentType>> = {
  history: lazy(() => import("./screens/history.tsx")),
  rules: lazy(() => import("./screens/rules.tsx")),
  servers: lazy(() => import("./screens/servers.tsx")),
  connections: lazy(() => import("./screens/connections.tsx")),
};

export function App() {
  const screen = usePanelState((state) => state.screen);
  const opened = usePanelState((state) => state.opened);
  const chat = useRef<HTMLElement>(null);
  const Covering = screen === "chat" ? undefined : screens[screen];
  useFocusBack(screen !== "chat");
  return (
    <div className="app">
      <main className="chat" ref={chat} inert={screen !== "chat"} aria-busy={!opened}>
        <Header />
        <Part>
          <Todo />
          <Conversation />
        </Part>
        <Part>
          <StatusLine />
          <Queue />
          <ApprovalBar />
        </Part>
        <Problem />
        <Composer />
        <Part>
          <Meters />
        </Part>
      </main>
      {Covering === undefined ? null : (
        <Part>
          <Suspense fallback={<div className="history" aria-busy="true" />}>
            <Covering />
          </Suspense>
        </Part>
      )}
      <Announcer />
    </div>
  );
}

/** Restores the focus when a screen that covered the conversation closes. */
function useFocusBack(covered: boolean): void {
  const before = useRef<Element | null>(null);
  if (covered && !before.current) before.current = document.activeElement;
  useEffect(() => {
    if (covered) return;
    if (before.current instanceof HTMLElement) before.current.focus();
    before.current = null;
  }, [covered]);
}

/** A part that may fail on its own without affecting the composer or its text. */
export function Part({ children }: { children: React.ReactNode }) {
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

function Todo() {
  const none = useView((view) => view.todo.trim() === "");
  return none ? null : (
    <Suspense>
      <TodoList />
    </Suspense>
  );
}

function Conversation() {
  const opened = usePanelState((state) => state.opened);
  const empty = useView((view) => view.settled.length + view.live.length === 0);
  const blank = <div className="transcript" aria-busy="true" />;
  if (!opened) return blank;
  return empty ? (
    <EmptyState />
  ) : (
    <Suspense fallback={blank}>
      <Transcript />
    </Suspense>
  );
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
