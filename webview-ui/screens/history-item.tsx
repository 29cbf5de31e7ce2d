/** One session in the history: a press opens it; its other actions are in a menu. */
import { type ReactNode, useRef, useState } from "react";
import type { ExportFormat, SessionSummary } from "../../src/shared/protocol.ts";
import { isTaken } from "../keys/taken.ts";
import { usePanel } from "../panel.ts";
import { dollars, shortCount } from "../text/numbers.ts";
import { relativeDate } from "../text/relative-date.ts";
import { ActionMenu, type MenuAction } from "../toolkit/action-menu.tsx";
import { Button } from "../toolkit/button.tsx";
import { Icon } from "../toolkit/icon.tsx";
import { TextField } from "../toolkit/text-field.tsx";

interface Props {
  session: SessionSummary;
  /** The search words. */
  words: readonly string[];
  /** The heading above says the day. */
  isDated: boolean;
  open(): void;
  rename(title: string): void;
  favourite(favourite: boolean): void;
  remove(): void;
}

export function HistoryItem({ session, words, isDated, open, rename, favourite, remove }: Props) {
  const { t, actions, language } = usePanel();
  const [name, setName] = useState<string | null>(null);
  const more = useRef<HTMLButtonElement>(null);
  const title = session.title === "" ? t("Untitled") : session.title;
  const facts = [
    isDated ? timeText(language, session.updatedAt) : relativeDate(language, session.updatedAt, Date.now()),
    session.messageCount === 1 ? t("1 message") : t("{0} messages", session.messageCount),
    session.cost > 0 ? dollars(session.cost) : t("{0} tokens", shortCount(session.tokens)),
    ...(session.elsewhere ? [t("open in another window or terminal")] : []),
  ];
  const endRename = (save: boolean) => {
    const next = name?.trim() ?? "";
    if (save && next !== "" && next !== session.title) rename(next);
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
  const menu: MenuAction[] =
    project === undefined
      ? [
          {
            id: "history-favourite",
            label: session.favourite ? t("Remove from favorites") : t("Add to favorites"),
            run: () => favourite(!session.favourite),
          },
          { id: "history-rename", label: t("Rename"), run: () => setName(session.title) },
          ...exports,
          { id: "history-delete", label: t("Delete"), run: remove },
        ]
      : exports;
  return (
    <li className="history-entry">
      <div className="history-line">
        <button type="button" className="history-item" data-testid="history-item" onClick={open}>
          <span className="history-title">
            {session.favourite ? <span className="only-heard">{t("Favorite")}: </span> : null}
            {session.favourite ? <Icon name="star" /> : null}
            {marked(title, words)}
          </span>
          <span className="detail" title={dateText(language, session.updatedAt)}>
            {facts.join(" · ")}
          </span>
          {project === undefined ? null : (
            <span className="detail" title={project.folder}>
              {t("Project: {0}", project.name)}
            </span>
          )}
          {session.forkOf ? (
            <span className="detail">
              <Icon name="branch" /> {t("Branch of {0}", session.forkOf.title ?? t("a deleted task"))}
            </span>
          ) : null}
          {session.parent ? (
            <span className="detail">{t("Started by {0}", session.parent.title ?? t("a deleted task"))}</span>
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
            name={t("Task name")}
            value={name}
            maxLength={200}
            autoFocus={true}
            change={setName}
            onKeyDown={(event) => {
              if (isTaken(event)) return;
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
    </li>
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

/** How long ago it was if it was today, else the time of that day. */
function timeText(language: string, iso: string): string {
  const date = new Date(iso);
  const now = new Date();
  if (date.toDateString() === now.toDateString()) return relativeDate(language, iso, now.getTime());
  return new Intl.DateTimeFormat(language, { timeStyle: "short" }).format(date);
}

function dateText(language: string, iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(date);
}
