/**
 * The tasks outside the active session that are working, waiting for the user, or ended without the user seeing it: one summary
 * line above the conversation, and one line for each task. Tasks that wait come first. In a wide panel, the list is next to the
 * conversation.
 */
import { useMemo, useSyncExternalStore } from "react";
import {
  isWorking,
  needsUser,
  type SessionItem,
  type SessionState,
} from "../../src/shared/view/session-item.ts";
import {
  sessionStateText,
  sessionText,
  titleText,
  waitingText,
} from "../../src/shared/words/session-words.ts";
import { usePanel, usePanelState, useView } from "../panel.ts";
import { useFold } from "../rows/folds.ts";
import { Visible } from "../text/visible.tsx";
import { IconButton } from "../toolkit/button.tsx";
import { Icon, type IconName } from "../toolkit/icon.tsx";

const ICONS: Readonly<Record<SessionState, IconName>> = {
  approval: "question",
  question: "question",
  failed: "warning",
  interrupted: "warning",
  done: "check",
  working: "more",
  queued: "more",
};

/** Above the conversation, the list of a low panel would leave no room for it. Beside it, there is room. */
const LOW = window.matchMedia("(max-height: 600px) and (max-width: 799px)");

function subscribeLow(listener: () => void): () => void {
  LOW.addEventListener("change", listener);
  return () => LOW.removeEventListener("change", listener);
}

/** In a low panel one line, until the user opens it there. */
export default function SessionList() {
  const isLow = useSyncExternalStore(subscribeLow, () => LOW.matches);
  return <List key={String(isLow)} isLow={isLow} />;
}

function List({ isLow }: { isLow: boolean }) {
  const { t } = usePanel();
  const all = usePanelState(({ sessions }) => sessions);
  const shown = useView((view) => view.session?.id);
  const others = useMemo(() => all.filter(({ id }) => id !== shown), [all, shown]);
  const [open, setOpen] = useFold(isLow ? "sessions low" : "sessions", !isLow);
  const waiting = others.filter(needsUser).length;
  const count = others.length === 1 ? t("1 other task") : t("{0} other tasks", others.length);
  return (
    <details
      className="sessions"
      data-testid="session-list"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <Icon name="chevron" />
        <span>{waiting === 0 ? count : t("{0}, {1} waiting for you", count, waiting)}</span>
      </summary>
      <ul aria-label={count}>
        {others.map((item) => (
          <SessionLine key={item.id} item={item} />
        ))}
      </ul>
    </details>
  );
}

function SessionLine({ item }: { item: SessionItem }) {
  const { t, actions, composer, store } = usePanel();
  const { id, title, state, call } = item;
  const named = titleText(t, title);
  const works = isWorking(item);
  const open = async () => {
    const answer = await actions.ask("history/open", { id });
    // The user can take it over in that view.
    if (answer?.elsewhere) store.show("history");
    else if (answer) composer.focus();
  };
  return (
    <li data-testid="session-item" data-state={state}>
      <button type="button" className="session-open" title={sessionText(t, item)} onClick={() => void open()}>
        <Icon name={ICONS[state]} />
        <span className="session-named">{named}</span>
        <span className="session-state">{sessionStateText(t, state)}</span>
        {call ? (
          <span className="session-call">
            <Visible text={waitingText(t, call).replace(/\s+/g, " ")} />
          </span>
        ) : null}
      </button>
      <IconButton
        label={t("Open {0} in an editor tab", named)}
        hint={t("Open in editor tab")}
        testId="session-in-tab"
        onPress={() => actions.run("sessions/open-in-tab", { id })}
      >
        <Icon name="tab" />
      </IconButton>
      {works ? (
        <IconButton
          label={t("Stop {0}", named)}
          hint={t("Stop")}
          testId="stop-session"
          onPress={() => actions.run("sessions/stop", { id })}
        >
          <Icon name="stop" />
        </IconButton>
      ) : (
        <IconButton
          label={t("Dismiss {0}", named)}
          hint={t("Dismiss")}
          testId="dismiss-session"
          onPress={() => actions.run("sessions/dismiss", { id })}
        >
          <Icon name="close" />
        </IconButton>
      )}
    </li>
  );
}
