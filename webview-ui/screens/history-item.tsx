/** One session in the history. Selecting it opens it; its other actions are in a menu. */
import { type ReactNode, useId, useRef, useState } from "react";
import { productName } from "../../src/shared/history/session-origin.ts";
import type { ExportFormat, SessionSummary } from "../../src/shared/protocol.ts";
import type { Translate } from "../../src/shared/words/task-words.ts";
import { isClaimedKey } from "../keys/claimed-key.ts";
import { usePanel, useView } from "../panel.ts";
import { dateFormat, relativeDate } from "../text/dates.ts";
import { factLine } from "../text/facts.ts";
import { dollars, shortCount } from "../text/numbers.ts";
import { ActionMenu, type MenuAction } from "../toolkit/action-menu.tsx";
import { Button } from "../toolkit/button.tsx";
import { Icon } from "../toolkit/icon.tsx";
import { TextField } from "../toolkit/text-field.tsx";

export interface SessionActs {
  open(session: SessionSummary): void;
  rename(session: SessionSummary, title: string): void;
  favorite(session: SessionSummary, favorite: boolean): void;
  remove(session: SessionSummary): void;
}

interface Props {
  session: SessionSummary;
  /** The search words. */
  words: readonly string[];
  /** The heading of the list shows the day. */
  isDated: boolean;
  /** It is listed under its parent session. */
  isNested?: boolean;
  acts: SessionActs;
}

export function HistoryItem({ session, words, isDated, isNested = false, acts }: Props) {
  const { t, actions, language } = usePanel();
  const [name, setName] = useState<string | null>(null);
  /** Whether the sessions that its task started are shown. */
  const [unfolded, setUnfolded] = useState(false);
  const more = useRef<HTMLButtonElement>(null);
  const isCurrent = useView((view) => session.project === undefined && view.session?.id === session.id);
  const title = session.title === "" ? t("Untitled") : session.title;
  const facts = [
    isDated
      ? timeText(t, language, session.updatedAt)
      : relativeDate(t, language, session.updatedAt, Date.now()),
    session.messageCount === 1 ? t("1 message") : t("{0} messages", session.messageCount),
    session.cost > 0 ? dollars(session.cost) : t("{0} tokens", shortCount(session.tokens)),
    ...(session.origin ? [productName(session.origin.product)] : []),
    ...(isCurrent ? [t("current task")] : []),
    ...(session.elsewhere ? [t("open in another window or terminal")] : []),
  ];
  const endRename = (save: boolean) => {
    const next = name?.trim() ?? "";
    if (save && next !== "" && next !== session.title) acts.rename(session, next);
    setName(null);
    more.current?.focus();
  };
  const { id, project } = session;
  const exportAs = (format: ExportFormat) => {
    const of = project === undefined ? {} : { project: project.key };
    void actions.askAway("history/export", { id, format, ...of });
  };
  const exports: MenuAction[] = [
    { id: "history-export-md", label: t("Export as Markdown"), run: () => exportAs("md") },
    { id: "history-export-json", label: t("Export as JSON"), run: () => exportAs("json") },
    { id: "history-export-atif", label: t("Export as trajectory (ATIF)"), run: () => exportAs("atif") },
    { id: "history-export-script", label: t("Export as model script"), run: () => exportAs("script") },
  ];
  const exportMenu = { id: "history-export", label: t("Export"), items: exports, run: () => {} };
  const menu: MenuAction[] =
    project === undefined
      ? [
          {
            id: "history-favorite",
            label: session.favourite ? t("Remove from favorites") : t("Add to favorites"),
            run: () => acts.favorite(session, !session.favourite),
          },
          {
            id: "history-in-tab",
            label: t("Open in editor tab"),
            run: () => actions.run("sessions/open-in-tab", { id }),
          },
          { id: "history-rename", label: t("Rename"), run: () => setName(session.title) },
          exportMenu,
          { id: "history-delete", label: t("Delete"), run: () => acts.remove(session) },
        ]
      : exports;
  return (
    <li className="history-entry">
      <div className="history-line">
        <button
          type="button"
          className="history-item"
          data-testid="history-item"
          aria-current={isCurrent}
          onClick={() => acts.open(session)}
        >
          <span className="history-title">
            {session.favourite ? <span className="only-heard">{t("Favorite")}: </span> : null}
            {session.favourite ? <Icon name="star" /> : null}
            {marked(title, words)}
          </span>
          <span className="detail" title={dateText(language, session.updatedAt)}>
            {factLine(facts)}
          </span>
          {project === undefined || isNested ? null : (
            <span className="detail" title={project.folder}>
              {t("Project: {0}", project.name)}
            </span>
          )}
          {session.forkOf ? (
            <span className="detail">
              <Icon name="fork" /> {t("Branch of {0}", session.forkOf.title ?? t("a deleted session"))}
            </span>
          ) : null}
          {session.parent && !isNested ? (
            <span className="detail">
              {t("Started by {0}", session.parent.title ?? t("a deleted session"))}
            </span>
          ) : null}
          {session.excerpt === undefined ? null : (
            <span className="history-excerpt">{marked(session.excerpt, words)}</span>
          )}
        </button>
        <ActionMenu
          button={more}
          className="plain-icon"
          testId="history-more"
          label={t("More actions for {0}", title)}
          hint={t("More actions")}
          actions={menu}
        />
      </div>
      {name === null ? null : (
        <div className="history-actions">
          <TextField
            name={t("Session name")}
            value={name}
            maxLength={200}
            autoFocus={true}
            change={setName}
            onKeyDown={(event) => {
              if (isClaimedKey(event)) return;
              if (event.key !== "Enter" && event.key !== "Escape") return;
              // Otherwise the same key press would also activate the button that receives the focus.
              event.preventDefault();
              event.stopPropagation();
              endRename(event.key === "Enter");
            }}
          />
          <div className="buttons">
            <Button kind="primary" onPress={() => endRename(true)}>
              {t("Save")}
            </Button>
            <Button onPress={() => endRename(false)}>{t("Cancel")}</Button>
          </div>
        </div>
      )}
      {session.children === undefined || session.children.length === 0 ? null : (
        <StartedTasks name={t("Started by {0}", title)} open={unfolded} setOpen={setUnfolded}>
          {session.children.map((child) => (
            <HistoryItem
              key={child.id}
              session={child}
              words={words}
              isDated={isDated && isSameDay(child.updatedAt, session.updatedAt)}
              isNested={true}
              acts={acts}
            />
          ))}
        </StartedTasks>
      )}
    </li>
  );
}

interface StartedProps {
  /** Of the list. */
  name: string;
  open: boolean;
  setOpen(open: boolean): void;
  /** One for each session. */
  children: readonly ReactNode[];
}

/** One line for the sessions of a task's subtasks; selecting it shows or hides them. */
function StartedTasks({ name, open, setOpen, children }: StartedProps) {
  const { t } = usePanel();
  const listId = useId();
  return (
    <>
      <button
        type="button"
        className="fold-line"
        data-testid="history-started"
        aria-expanded={open}
        aria-controls={open ? listId : undefined}
        onClick={() => setOpen(!open)}
      >
        <Icon name="chevron" />
        {children.length === 1 ? t("1 subtask") : t("{0} subtasks", children.length)}
      </button>
      {open ? (
        <ul id={listId} className="history-children" aria-label={name}>
          {children}
        </ul>
      ) : null}
    </>
  );
}

/** The text with each of the words highlighted. */
function marked(text: string, words: readonly string[]): ReactNode {
  const wanted = words
    .filter((word) => word !== "")
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  if (wanted.length === 0) return text;
  const parts = text.split(new RegExp(`(${wanted.join("|")})`, "giu"));
  // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other identity
  return parts.map((part, index) => (index % 2 ? <mark key={index}>{part}</mark> : part));
}

function isSameDay(iso: string, other: string): boolean {
  return new Date(iso).toDateString() === new Date(other).toDateString();
}

/** How long ago it was if it was today, otherwise the time of day. */
function timeText(t: Translate, language: string, iso: string): string {
  const date = new Date(iso);
  const now = new Date();
  if (date.toDateString() === now.toDateString()) return relativeDate(t, language, iso, now.getTime());
  return dateFormat(language, { timeStyle: "short" }).format(date);
}

function dateText(language: string, iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return dateFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(date);
}
