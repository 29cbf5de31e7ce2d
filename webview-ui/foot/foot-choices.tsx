/** What is chosen for a session beside the model and the permissions: its agent, and whether it begins in a worktree. */
import type { Mode } from "../../src/shared/message.ts";
import { onDemand } from "../on-demand.tsx";
import { usePanel, usePanelState, useView } from "../panel.ts";
import { Icon } from "../toolkit/icon.tsx";
import { useOpener } from "./use-opener.ts";

export default function FootChoices() {
  return (
    <>
      <AgentButton />
      <WorktreeButton />
    </>
  );
}

const AgentMenu = onDemand(() => import("./agent-menu.tsx"));

/** The agent of the session. The menu loads when it first opens. */
function AgentButton() {
  const { t } = usePanel();
  const agent = useView((view) => view.agent);
  const mode = useView((view) => view.mode);
  const { open, button, close, props } = useOpener();
  const word = agent ?? modeWord(t, mode);
  return (
    <>
      <button
        type="button"
        className="foot-button agent-button"
        data-testid="agent-picker"
        data-chosen={agent !== undefined}
        aria-haspopup="menu"
        title={t("Agent: {0}", word)}
        {...props}
      >
        <Icon name="tools" />
        <span className="only-heard">{t("Agent: {0}", word)}</span>
        {agent === undefined ? null : (
          <span className="foot-word" aria-hidden="true">
            {agent}
          </span>
        )}
      </button>
      {open ? <AgentMenu button={button} close={close} /> : null}
    </>
  );
}

function modeWord(t: ReturnType<typeof usePanel>["t"], mode: Mode): string {
  return mode === "plan" ? t("Plan") : t("Act");
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
