/** One session in the history: a press opens it; its other actions expand. */
import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import type { SessionSummary } from "../../src/shared/protocol.ts";
import { isComposing } from "../composer/composing.ts";
import { usePanel } from "../panel.ts";
import { dollars, shortCount } from "../text/numbers.ts";
import { Button } from "../toolkit/button.tsx";
import { Icon } from "../toolkit/icon.tsx";

interface Props {
  session: SessionSummary;
  /** The search words. */
  words: readonly string[];
  when: Intl.DateTimeFormat;
  open(): void;
  rename(title: string): void;
  favourite(favourite: boolean): void;
  remove(): void;
}

export function HistoryItem({ session, words, when, open, rename, favourite, remove }: Props) {
  const { t, actions } = usePanel();
  const [unfolded, setUnfolded] = useState(false);
  const [name, setName] = useState<string | null>(null);
  const more = useRef<HTMLButtonElement>(null);
  const title = session.title === "" ? t("Untitled") : session.title;
  const facts = [
    dateText(when, session.updatedAt),
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
  const exportAs = (format: "md" | "json") => {
    const of = project === undefined ? {} : { project: project.key };
    void actions.askAway("history/export", { id, format, ...of });
  };
  return (
    <li className="history-entry">
      <div className="history-line">
        <button type="button" className="history-item" data-testid="history-item" onClick={open}>
          <span className="history-title">
            {session.favourite ? <span className="only-heard">{t("Favorite")}: </span> : null}
            {session.favourite ? <Icon name="star" /> : null}
            {marked(title, words)}
          </span>
          <span className="detail">{facts.join(" · ")}</span>
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
          {session.excerpt === undefined ? null : (
            <span className="history-excerpt">{marked(session.excerpt, words)}</span>
          )}
        </button>
        <button
          ref={more}
          type="button"
          className="plain-icon"
          data-testid="history-more"
          aria-label={t("More actions for {0}", title)}
          aria-expanded={unfolded}
          title={t("More actions")}
          onClick={() => setUnfolded(!unfolded)}
        >
          <Icon name="more" />
        </button>
      </div>
      {unfolded && name === null ? (
        <div className="buttons history-actions">
          {project === undefined ? (
            <>
              <Button onPress={() => favourite(!session.favourite)}>
                {session.favourite ? t("Remove from favorites") : t("Add to favorites")}
              </Button>
              <Button onPress={() => setName(session.title)}>{t("Rename")}</Button>
            </>
          ) : null}
          <Button onPress={() => exportAs("md")}>{t("Export as Markdown")}</Button>
          <Button onPress={() => exportAs("json")}>{t("Export as JSON")}</Button>
          {project === undefined ? (
            <Button testId="history-delete" onPress={remove}>
              {t("Delete")}
            </Button>
          ) : null}
        </div>
      ) : null}
      {name === null ? null : (
        <div className="history-actions">
          <input
            className="text-field"
            aria-label={t("Task name")}
            value={name}
            maxLength={200}
            // biome-ignore lint/a11y/noAutofocus: it replaces the pressed button
            autoFocus
            onChange={(event) => setName(event.target.value)}
            onKeyDown={(event: KeyboardEvent) => {
              if (isComposing(event)) return;
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

function dateText(format: Intl.DateTimeFormat, iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : format.format(date);
}
