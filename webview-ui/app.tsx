import { lazy, Suspense, useEffect, useRef } from "react";
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
import { Button, IconButton } from "./toolkit/button.tsx";
import { Icon } from "./toolkit/icon.tsx";

/** In a chunk of its own, which index.tsx asks for at once: the composer is there before it. */
const Transcript = lazy(() => import("./transcript/transcript.tsx"));
const TodoList = lazy(() => import("./todo-list.tsx"));
const Rules = lazy(() => import("./screens/rules.tsx"));
const History = lazy(async () => ({ default: (await import("./screens/history.tsx")).History }));

export function App() {
  const screen = usePanelState((state) => state.screen);
  const opened = usePanelState((state) => state.opened);
  const chat = useRef<HTMLElement>(null);
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
      {screen === "chat" ? null : (
        <Part>
          <Suspense fallback={<div className="history" aria-busy="true" />}>
            {screen === "history" ? <History /> : <Rules />}
          </Suspense>
        </Part>
      )}
      <Announcer />
    </div>
  );
}

/** Gives the focus back to where it was when what covered the conversation goes. */
function useFocusBack(covered: boolean): void {
  const before = useRef<Element | null>(null);
  if (covered && !before.current) before.current = document.activeElement;
  useEffect(() => {
    if (covered) return;
    if (before.current instanceof HTMLElement) before.current.focus();
    before.current = null;
  }, [covered]);
}

/** A part that may fail on its own: the composer and what is typed in it stay. */
export function Part({ children }: { children: React.ReactNode }) {
  const { t, actions, store } = usePanel();
  return (
    <ErrorBoundary
      fallback={(error, again) => (
        <div className="error failed-part" role="alert">
          <p>{t("A part of the panel failed. Nothing was lost.")}</p>
          <p className="detail">{error.message}</p>
          <Button
            onPress={() => {
              store.show("chat");
              void actions.open().then(again);
            }}
          >
            {t("Reload the panel")}
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

/** A request of the panel's own that failed: said where the person looks, until they dismiss it. */
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
      <span>{t("That did not work: {0}", problem)}</span>
      {opened ? (
        <IconButton label={t("Dismiss")} onPress={() => store.report(null)}>
          <Icon name="close" />
        </IconButton>
      ) : (
        <Button onPress={retry}>{t("Try again")}</Button>
      )}
    </div>
  );
}
