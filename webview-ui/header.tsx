import { type KeyboardEvent, useRef } from "react";
import type { Mode } from "../src/shared/message.ts";
import { usePanel, useView } from "./panel.ts";
import { IconButton } from "./toolkit/button.tsx";
import { Icon } from "./toolkit/icon.tsx";

export function Header() {
  const { t, actions, store, composer } = usePanel();
  const newTask = () => {
    actions.run("chat/new", {});
    composer.focus();
  };
  return (
    <header className="header">
      <ModeToggle />
      <div className="header-actions">
        <IconButton label={t("New task")} testId="new-task" onPress={newTask}>
          <Icon name="add" />
        </IconButton>
        <IconButton label={t("History")} testId="history" onPress={() => store.show("history")}>
          <Icon name="history" />
        </IconButton>
        <IconButton label={t("Rules")} testId="rules" onPress={() => store.show("rules")}>
          <Icon name="book" />
        </IconButton>
        <IconButton label={t("MCP servers")} testId="servers" onPress={() => store.show("servers")}>
          <Icon name="plug" />
        </IconButton>
        <IconButton label={t("Settings")} testId="settings" onPress={() => actions.run("host/settings", {})}>
          <Icon name="settings" />
        </IconButton>
      </div>
    </header>
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
          title={
            one === "plan" ? t("Plan: investigate, change nothing") : t("Act: do the work with your approval")
          }
          onClick={() => choose(one)}
        >
          {one === "plan" ? t("Plan") : t("Act")}
        </button>
      ))}
    </div>
  );
}
