/** What is remembered about the project: each note with its source, and what the user can do with it. */
import { useEffect, useRef, useState } from "react";
import type { ListedNote } from "../../src/shared/memory-list.ts";
import { noteFacts, noteProblemText } from "../../src/shared/words/memory-words.ts";
import { usePanel } from "../panel.ts";
import { Visible } from "../text/visible.tsx";
import { Button } from "../toolkit/button.tsx";
import { Icon } from "../toolkit/icon.tsx";
import { ScreenFrame } from "./screen.tsx";
import { useMemory } from "./use-memory.ts";

export default function MemoryScreen() {
  const { t, actions } = usePanel();
  const { listed, ask } = useMemory();
  const [clearing, setClearing] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  /** The pressed button disappears. */
  const leave = (action: Parameters<typeof ask>[0]) => {
    heading.current?.focus();
    setClearing(false);
    if (action) void ask(action);
  };
  const { notes = [], file = "" } = listed ?? {};
  const hasFile = notes.length > 0 || listed?.problem !== undefined;
  return (
    <ScreenFrame title={t("Memory")} heading={heading}>
      <div className="servers without-icons" data-testid="memory-list" aria-busy={listed === null}>
        <p className="detail">
          {t(
            "Notes that the agent made about this project. Later tasks read them at their start. They are stored on this computer and not in the project.",
          )}
        </p>
        {listed?.on === false ? (
          <p className="server-note">
            {t("Memory is off, so tasks neither read nor write notes.")}{" "}
            <button
              type="button"
              className="link"
              onClick={() => actions.run("host/settings", { query: "nekode.memory" })}
            >
              {t("Open settings")}
            </button>
          </p>
        ) : null}
        {listed?.problem === undefined ? null : (
          <p className="server-note" role="alert">
            <Visible
              text={t("The memory is not used: {0}", t("{0} is too large or not readable as text", file))}
            />
          </p>
        )}
        {hasFile ? (
          <div className="buttons">
            <Button testId="open-memory" onPress={() => void ask({ action: "open" })}>
              {t("Open file")}
            </Button>
            {notes.length > 0 && !clearing ? (
              <Button testId="clear-memory" onPress={() => setClearing(true)}>
                {t("Delete all…")}
              </Button>
            ) : null}
          </div>
        ) : null}
        {clearing ? (
          <ClearQuestion
            count={notes.length}
            clear={() => leave({ action: "clear" })}
            keep={() => leave(null)}
          />
        ) : null}
        {listed && notes.length === 0 && !hasFile ? (
          <p className="detail">{t("Nothing is remembered yet.")}</p>
        ) : (
          <ul className="server-items">
            {notes.map((note) => (
              <Note key={note.id} note={note} remove={() => leave({ action: "remove", id: note.id })} />
            ))}
          </ul>
        )}
      </div>
    </ScreenFrame>
  );
}

function ClearQuestion({ count, clear, keep }: { count: number; clear(): void; keep(): void }) {
  const { t } = usePanel();
  const question = t("Delete all {0} notes? This cannot be undone.", count);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector<HTMLElement>("[data-testid=keep-memory]")?.focus(), []);
  return (
    <div
      className="leave-question"
      role="alertdialog"
      aria-label={question}
      data-testid="clear-question"
      ref={box}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        keep();
      }}
    >
      <p>{question}</p>
      <div className="buttons">
        <Button testId="clear-now" onPress={clear}>
          {t("Delete all")}
        </Button>
        <Button testId="keep-memory" onPress={keep}>
          {t("Cancel")}
        </Button>
      </div>
    </div>
  );
}

function Note({ note, remove }: { note: ListedNote; remove(): void }) {
  const { t, actions, store } = usePanel();
  const { text, session, title, problem } = note;
  const open = async (id: string) => {
    const answer = await actions.ask("history/open", { id });
    if (answer?.elsewhere) store.report(t("“{0}” is open in another window or terminal.", title ?? id));
    else if (answer) store.show("chat");
  };
  return (
    <li className="server-item" data-testid="memory-note">
      <p>
        <Visible text={text} />
      </p>
      <p className="detail">
        <Visible text={noteFacts(t, note).join(" · ")} />
        {session === undefined || title === undefined ? null : (
          <>
            {" · "}
            <button
              type="button"
              className="link"
              data-testid="note-session"
              title={t("Open session")}
              onClick={() => void open(session)}
            >
              <Visible text={title} />
            </button>
          </>
        )}
      </p>
      {problem === undefined ? null : (
        <p className="detail">
          <Icon name="warning" /> {noteProblemText(t, problem)}
        </p>
      )}
      <div className="buttons">
        <Button testId="remove-note" label={t("Delete: {0}", text)} onPress={remove}>
          {t("Delete")}
        </Button>
      </div>
    </li>
  );
}
