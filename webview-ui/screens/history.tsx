/** The project's sessions, over the conversation. Escape and the back button return to the conversation. */
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import {
  type HistorySort,
  historySortSchema,
  type IndexProgress,
  type SessionSummary,
} from "../../src/shared/protocol.ts";
import type { Translate } from "../../src/shared/words/task-words.ts";
import { isClaimedKey } from "../keys/claimed-key.ts";
import { onDemand } from "../on-demand.tsx";
import { usePanel, usePanelState } from "../panel.ts";
import { byDay } from "../text/dates.ts";
import { ActionMenu } from "../toolkit/action-menu.tsx";
import { Button } from "../toolkit/button.tsx";
import { Dropdown } from "../toolkit/dropdown.tsx";
import { Icon, type IconName } from "../toolkit/icon.tsx";
import { PlainField } from "../toolkit/plain-field.tsx";
import { HistoryItem, type SessionActs } from "./history-item.tsx";
import { HistoryOther } from "./history-other.tsx";
import LeaveQuestion from "./leave-question.tsx";
import { MovedProjects } from "./moved-projects.tsx";
import { ScreenFrame } from "./screen.tsx";
import { type Query, sessionKey, sortOf, useSessions } from "./use-sessions.ts";

const OtherAgents = onDemand(() => import("./other-agents.tsx"));

export default function HistoryScreen() {
  const { t, language, actions, store, kept } = usePanel();
  const [query, setQuery] = useState<Query>({
    text: "",
    sort: undefined,
    favorites: false,
    allProjects: false,
  });
  const indexed = usePanelState((state) => state.indexed);
  const sessions = useSessions(actions, query, indexed);
  const [elsewhere, setElsewhere] = useState<SessionSummary | null>(null);
  /** A task to delete that is not finished. */
  const [unfinished, setUnfinished] = useState<SessionSummary | null>(null);
  const stay = useCallback(() => setUnfinished(null), []);
  const [other, setOther] = useState<SessionSummary | null>(null);
  const [deleted, setDeleted] = useState<{ session: SessionSummary; undoMs: number } | null>(null);
  const [imported, setImported] = useState(0);
  /** The page for sessions of other agents is shown instead. */
  const [isBringing, setBringing] = useState(false);
  const title = useRef<HTMLHeadingElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const note = useRef<HTMLDivElement>(null);
  const close = useCallback(() => store.show("chat"), [store]);
  const words = useMemo(() => query.text.split(/\s+/), [query.text]);

  useEffect(() => {
    if (!deleted) return;
    // The pressed button disappeared with its session.
    note.current?.querySelector<HTMLElement>("[data-testid=history-undo]")?.focus();
    const timer = setTimeout(() => {
      if (note.current?.contains(document.activeElement)) title.current?.focus();
      setDeleted(null);
    }, deleted.undoMs);
    return () => clearTimeout(timer);
  }, [deleted]);

  /** The id of the chosen session. The screen closes as soon as its first part appears, before the host has loaded all of it. */
  const chosen = useRef<string | null>(null);
  useEffect(() => {
    // Subscribes without a render of the list, for which the conversation would have to wait.
    const end = store.subscribe(() => {
      if (chosen.current === null || store.state.view.session?.id !== chosen.current) return;
      chosen.current = null;
      close();
    });
    return () => {
      end();
      // The answer, which comes later, must not close a history that was opened meanwhile.
      chosen.current = null;
    };
  }, [store, close]);

  const open = async (session: SessionSummary, takeOver: boolean) => {
    const { id, found } = session;
    setUnfinished(null);
    setOther(session.project === undefined ? null : session);
    if (session.project !== undefined) return;
    chosen.current = id;
    // Jumps to the search hit.
    if (found !== undefined) store.jump({ session: id, row: found, offset: 0 });
    const answer = await actions.ask("history/open", { id, ...(takeOver && { takeOver }) });
    if (answer?.elsewhere) setElsewhere(session);
    else if (answer && chosen.current === id) close();
  };
  const remove = async (session: SessionSummary, stop = false) => {
    setUnfinished(null);
    const { id } = session;
    const answer = await actions.ask("history/delete", stop ? { id, stop } : { id });
    if (answer?.working) setUnfinished(session);
    else if (answer?.undoMs === 0) setElsewhere(session);
    if (!answer || answer.undoMs === 0) return;
    sessions.drop(session.id);
    const { welcome } = kept.value;
    kept.update({ welcome: { ...welcome, recent: welcome.recent.filter((other) => other.id !== id) } });
    // The sessions that its task started are not deleted with it.
    if (session.children) sessions.refresh();
    setDeleted({ session, undoMs: answer.undoMs });
  };
  const undo = async (session: SessionSummary) => {
    setDeleted(null);
    title.current?.focus();
    if (await actions.ask("history/undelete", { id: session.id })) sessions.refresh();
  };
  const rename = async ({ id }: SessionSummary, name: string) => {
    if (await actions.ask("history/rename", { id, title: name })) sessions.change(id, { title: name });
  };
  const setFavorite = async ({ id }: SessionSummary, favorite: boolean) => {
    if (await actions.ask("history/favorite", { id, favorite })) sessions.change(id, { favourite: favorite });
  };
  const importSessions = async () => {
    const answer = await actions.askAway("history/import", {});
    setImported(answer?.imported ?? 0);
    sessions.refresh();
  };

  const acts: SessionActs = {
    open: (session) => void open(session, false),
    rename: (session, name) => void rename(session, name),
    favorite: (session, favorite) => void setFavorite(session, favorite),
    remove: (session) => void remove(session),
  };
  const sort = sortOf(query);
  const days = useMemo(() => {
    const list = sessions.list ?? [];
    // Only these orders keep the sessions of one day together.
    if (sort === "newest" || sort === "oldest")
      return byDay(list, ({ updatedAt }) => updatedAt, { t, language, now: Date.now() });
    return list.length === 0 ? [] : [{ name: "", items: list }];
  }, [sessions.list, sort, language, t]);
  if (isBringing) {
    const back = () => {
      setBringing(false);
      sessions.refresh();
    };
    return <OtherAgents back={back} fallback={<div className="history" aria-busy="true" />} />;
  }
  const asksForAll = query.text.trim() === "" && !query.favorites;
  return (
    <ScreenFrame
      title={t("History")}
      heading={title}
      first={search}
      aside={
        <ActionMenu
          className="plain-icon"
          testId="history-menu"
          label={t("Bring sessions from elsewhere")}
          actions={[
            { id: "other-agents-open", label: t("From other agents"), run: () => setBringing(true) },
            { id: "history-import", label: t("Import"), run: () => void importSessions() },
          ]}
        />
      }
    >
      <div className="history-query">
        <PlainField
          ref={search}
          type="search"
          testId="history-search"
          aria-label={t("Search all messages")}
          placeholder={t("Search all messages")}
          maxLength={1000}
          value={query.text}
          change={(text) => setQuery({ ...query, text })}
          onKeyDown={(event) => {
            if (event.key !== "Escape" || query.text === "" || isClaimedKey(event)) return;
            event.stopPropagation();
            setQuery({ ...query, text: "" });
          }}
        />
        <Dropdown
          testId="history-sort"
          name={t("Sort by")}
          value={sort}
          options={historySortSchema.options.map((sort) => ({ value: sort, text: sortText(t, sort) }))}
          change={(sort) => setQuery({ ...query, sort })}
        />
        <Filter
          icon="star"
          testId="history-favorites"
          name={t("Favorites only")}
          on={query.favorites}
          change={(favorites) => setQuery({ ...query, favorites })}
        />
        <Filter
          icon="folder"
          testId="history-all-projects"
          name={t("All projects")}
          on={query.allProjects}
          change={(allProjects) => setQuery({ ...query, allProjects })}
        />
      </div>
      {sessions.failure === null ? null : <p role="alert">{sessions.failure}</p>}
      {elsewhere === null ? null : (
        <div className="history-note" role="alert">
          <p>{t("“{0}” is open in another window or terminal.", elsewhere.title)}</p>
          <div className="buttons">
            <Button testId="take-over" onPress={() => void open(elsewhere, true)}>
              {t("Take over")}
            </Button>
            <Button onPress={() => setElsewhere(null)}>{t("Cancel")}</Button>
          </div>
        </div>
      )}
      {unfinished === null ? null : (
        <LeaveQuestion
          to="delete"
          task={unfinished.id}
          leave={() => void remove(unfinished, true)}
          stay={stay}
        />
      )}
      {other === null ? null : <HistoryOther session={other} opened={close} close={() => setOther(null)} />}
      {deleted === null ? null : (
        <div className="history-note" role="status" ref={note}>
          <p>{t("“{0}” was deleted.", deleted.session.title)}</p>
          <Button testId="history-undo" onPress={() => void undo(deleted.session)}>
            {t("Undo")}
          </Button>
        </div>
      )}
      {imported > 0 ? (
        <p className="history-note" role="status">
          {t("Imported sessions: {0}", imported)}
        </p>
      ) : null}
      {sessions.indexing ? (
        <p className="history-note" role="status">
          {t("Indexing older messages for search: {0}", percent(language, sessions.indexing))}
        </p>
      ) : null}
      {sessions.list?.length === 0 && !sessions.indexing ? (
        <p className="history-none" role="status">
          {asksForAll ? t("No sessions in this project yet.") : t("No matching sessions.")}
          {asksForAll && !query.allProjects
            ? ` ${t("If the folder was renamed or moved, earlier sessions are under “All projects”.")}`
            : null}
        </p>
      ) : null}
      {sessions.list?.length === 0 && asksForAll && !query.allProjects ? (
        <MovedProjects
          adopted={(count) => {
            setImported(count);
            sessions.refresh();
          }}
        />
      ) : null}
      {days.map(({ name, items }) => (
        <section key={name} aria-label={name}>
          {name === "" ? null : <h3 className="history-day">{name}</h3>}
          <ul>
            {items.map((session) => (
              <HistoryItem
                key={sessionKey(session)}
                session={session}
                words={words}
                isDated={name !== ""}
                acts={acts}
              />
            ))}
          </ul>
        </section>
      ))}
      {sessions.more ? <Button onPress={sessions.showMore}>{t("Show more")}</Button> : null}
    </ScreenFrame>
  );
}

interface FilterProps {
  icon: IconName;
  testId: string;
  name: string;
  on: boolean;
  change(on: boolean): void;
}

/** A checkbox that is an icon where the row has no room for its words. */
function Filter({ icon, testId, name, on, change }: FilterProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button with an icon, as in VS Code's own lists
    <button
      type="button"
      className="history-filter"
      data-testid={testId}
      role="checkbox"
      aria-checked={on}
      aria-label={name}
      title={name}
      onClick={() => change(!on)}
    >
      <Icon name={icon} />
      <span aria-hidden="true">{name}</span>
    </button>
  );
}

function percent(language: string, { done, total }: IndexProgress): string {
  return new Intl.NumberFormat(language, { style: "percent" }).format(total === 0 ? 1 : done / total);
}

function sortText(t: Translate, sort: HistorySort): string {
  switch (sort) {
    case "newest":
      return t("Newest first");
    case "oldest":
      return t("Oldest first");
    case "cost":
      return t("Most expensive first");
    case "tokens":
      return t("Most tokens first");
    case "relevance":
      return t("Best match first");
  }
}
