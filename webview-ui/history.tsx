/** The project's earlier tasks, over the conversation. Escape and the back button return to it. */
import { useCallback, useEffect, useRef, useState } from "react";
import type { SessionSummary } from "../src/shared/protocol.ts";
import { describe } from "./actions.ts";
import { usePanel } from "./panel.ts";
import { dollars, shortCount } from "./text/numbers.ts";
import { Button, IconButton } from "./toolkit/button.tsx";
import { Icon } from "./toolkit/icon.tsx";

/** Sessions shown at first, and added by each press of "Show more". */
const page = 100;

export function History() {
  const { t, language, actions, store } = usePanel();
  const [sessions, setSessions] = useState<readonly SessionSummary[] | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [limit, setLimit] = useState(page);
  const title = useRef<HTMLHeadingElement>(null);
  const close = useCallback(() => store.show("chat"), [store]);

  useEffect(() => {
    title.current?.focus();
    let current = true;
    actions.sessions().then(
      (list) => current && setSessions(list),
      (error: unknown) => current && setFailure(describe(error)),
    );
    return () => {
      current = false;
    };
  }, [actions]);

  const open = (id: string) => {
    actions.run("history/open", { id });
    close();
  };
  const when = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  return (
    <section
      className="history"
      aria-label={t("History")}
      onKeyDown={(event) => {
        if (event.key === "Escape" && !event.nativeEvent.isComposing) close();
      }}
    >
      <div className="history-head">
        <IconButton label={t("Back to the conversation")} onPress={close}>
          <Icon name="back" />
        </IconButton>
        <h2 ref={title} tabIndex={-1}>
          {t("History")}
        </h2>
      </div>
      {failure === null ? null : <p role="alert">{failure}</p>}
      {sessions?.length === 0 ? <p className="history-none">{t("No tasks yet in this project.")}</p> : null}
      <ul>
        {sessions?.slice(0, limit).map((session) => (
          <li key={session.id}>
            <button
              type="button"
              className="history-item"
              data-testid="history-item"
              onClick={() => open(session.id)}
            >
              <span className="history-title">{session.title}</span>
              <span className="detail">
                {[
                  dateText(when, session.updatedAt),
                  t("{0} messages", session.messageCount),
                  session.cost > 0 ? dollars(session.cost) : t("{0} tokens", shortCount(session.tokens)),
                ].join(" · ")}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {sessions && sessions.length > limit ? (
        <Button onPress={() => setLimit(limit + page)}>{t("Show more")}</Button>
      ) : null}
    </section>
  );
}

function dateText(format: Intl.DateTimeFormat, iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : format.format(date);
}
