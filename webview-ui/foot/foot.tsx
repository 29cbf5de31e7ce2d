/** The line under the input: the model with its effort, what runs without asking, and how full the context window is. */

import { useEffect } from "react";
import { levelOf } from "../../src/shared/permission/levels.ts";
import { levelWord } from "../../src/shared/words/permission-words.ts";
import { ModelEffort } from "../composer/effort-select.tsx";
import { ModelButton } from "../composer/model-button.tsx";
import { onDemand } from "../on-demand.tsx";
import { usePanel, usePanelState, useView } from "../panel.ts";
import { Icon } from "../toolkit/icon.tsx";
import { ContextRing } from "./context-ring.tsx";
import { useAccess, useOpener } from "./use-opener.ts";

export function Foot() {
  return (
    <>
      <ModelButton />
      <ModelEffort />
      <PermissionButton />
      <WorktreeButton />
      <ContextRing />
    </>
  );
}

/** A switch, shown before the first message, for whether the task starts in a worktree. */
function WorktreeButton() {
  const { t, actions } = usePanel();
  const isStored = useView((view) => view.session !== null);
  const begins = useView((view) => view.beginsInWorktree === true);
  const isOffered = usePanelState((state) => state.setup?.worktrees === true);
  if (isStored || !isOffered) return null;
  return (
    <button
      type="button"
      className="foot-button worktree-button"
      data-testid="worktree-begin"
      aria-pressed={begins}
      title={t("Start the task in its own Git worktree: your folder stays unchanged until you merge")}
      onClick={() => actions.run("chat/worktree", { on: !begins })}
    >
      <Icon name="branch" />
      <span className="foot-word">{t("Worktree")}</span>
    </button>
  );
}

const PermissionMenu = onDemand(() => import("./permission-menu.tsx"));

/** What runs without asking, in a word. The menu loads when it first opens. */
function PermissionButton() {
  const { t, permissionShown } = usePanel();
  const access = useAccess();
  const { open, button, show, close, props } = useOpener();
  useEffect(() => permissionShown.subscribe(show), [permissionShown, show]);
  const level = levelOf(access);
  const word = level === "custom" && access.commandAll ? t("All commands") : levelWord(t, level);
  return (
    <>
      <button
        type="button"
        className="foot-button permission-button"
        data-testid="permission-picker"
        data-level={level}
        data-open={access.commandAll}
        aria-haspopup="menu"
        title={t("Runs without asking: {0}", word)}
        {...props}
      >
        <Icon name="shield" />
        <span className="only-heard">{t("Permissions")}: </span>
        <span className="foot-word">{word}</span>
      </button>
      {open ? <PermissionMenu button={button} close={close} /> : null}
    </>
  );
}
