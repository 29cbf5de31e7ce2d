/**
 * The top of the chat: plan or act, and the task's title; below them, the task's worktree. The view's other actions are in VS Code's
 * own title bar.
 */
import { type KeyboardEvent, useRef, useState } from "react";
import type { Mode } from "../src/shared/message.ts";
import { isClaimedKey } from "./keys/claimed-key.ts";
import { defaultChord } from "./keys/default-chord.ts";
import { usePanel, useView } from "./panel.ts";
import { Icon } from "./toolkit/icon.tsx";
import { PlainField } from "./toolkit/plain-field.tsx";

export function Header() {
  const session = useView((view) => view.session);
  return (
    <header className="header">
      <ModeToggle />
      {session ? <TaskTitle key={session.id} id={session.id} title={session.title} /> : null}
    </header>
  );
}

/** The title. Selecting it turns it into a text field. Enter and leaving the field save it, Escape does not. */
function TaskTitle({ id, title }: { id: string; title: string }) {
  const { t, actions, composer } = usePanel();
  const [edited, setEdited] = useState<string | null>(null);
  /** Set by the key that ends the edit, because the field loses the focus after that too. */
  const isEnding = useRef(false);
  const end = (save: boolean) => {
    if (edited === null || isEnding.current) return;
    isEnding.current = true;
    const next = edited.trim();
    if (save && next !== "" && next !== title) actions.run("history/rename", { id, title: next });
    setEdited(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isClaimedKey(event) || (event.key !== "Enter" && event.key !== "Escape")) return;
    event.preventDefault();
    event.stopPropagation();
    end(event.key === "Enter");
    composer.focus();
  };
  const shown = title === "" ? t("Untitled") : title;
  if (edited === null)
    return (
      <button
        type="button"
        className="task-title"
        data-testid="task-title"
        aria-label={t("Rename session: {0}", shown)}
        title={shown}
        onClick={() => {
          isEnding.current = false;
          setEdited(title);
        }}
      >
        {shown}
      </button>
    );
  return (
    <PlainField
      className="task-title"
      testId="task-title-edit"
      aria-label={t("Session name")}
      value={edited}
      maxLength={200}
      autoFocus
      onFocus={(event) => event.target.select()}
      change={setEdited}
      onBlur={() => end(true)}
      onKeyDown={onKeyDown}
    />
  );
}

const MODES: readonly Mode[] = ["plan", "act"];

/** Plan or act: a radio group, in which the arrow keys move and choose, and Tab is a single stop. */
function ModeToggle() {
  const { t, actions } = usePanel();
  const mode = useView((view) => view.mode);
  const buttons = useRef(new Map<Mode, HTMLButtonElement>());
  const choose = (next: Mode) => {
    buttons.current.get(next)?.focus();
    if (next !== mode) actions.run("chat/mode", { mode: next });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"].includes(event.key)) return;
    event.preventDefault();
    choose(mode === "plan" ? "act" : "plan");
  };
  return (
    <div className="mode" role="radiogroup" aria-label={t("Mode")} onKeyDown={onKeyDown}>
      {MODES.map((one) => (
        // biome-ignore lint/a11y/useSemanticElements: a segmented control, with a single element to style and press
        <button
          key={one}
          ref={(element) => {
            if (element) buttons.current.set(one, element);
          }}
          type="button"
          role="radio"
          aria-checked={mode === one}
          tabIndex={mode === one ? 0 : -1}
          data-testid={`mode-${one}`}
          title={t(
            "{0} (default shortcut: {1})",
            one === "plan"
              ? t("Plan: investigate, change nothing")
              : t("Act: do the work with your approval"),
            defaultChord("J"),
          )}
          onClick={() => choose(one)}
        >
          {one === "plan" ? t("Plan") : t("Act")}
        </button>
      ))}
    </div>
  );
}

/** The branch of the worktree that the task works in, with a button to review it. */
export function WorktreeLine() {
  const { t, actions } = usePanel();
  const branch = useView((view) => view.session?.worktree?.branch);
  if (branch === undefined) return null;
  return (
    <button
      type="button"
      className="worktree-line"
      data-testid="worktree-review"
      title={t("This task works in a worktree, on the branch {0}. Press to review it.", branch)}
      onClick={() => actions.run("host/review-worktree", {})}
    >
      <Icon name="branch" />
      <span className="worktree-branch">{branch}</span>
      <span className="worktree-action">{t("Review Worktree")}</span>
    </button>
  );
}
