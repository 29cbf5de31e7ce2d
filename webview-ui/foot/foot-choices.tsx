/** What is chosen for a session beside the model and the permissions: its agent, and whether it begins in a worktree. */
import { useEffect, useState } from "react";
import type { Translate } from "../../src/shared/words/task-words.ts";
import { onDemand } from "../on-demand.tsx";
import { usePanel, usePanelState, useView } from "../panel.ts";
import { Icon } from "../toolkit/icon.tsx";
import { type AgentCycle, chosenName, useAgentCycle } from "./agent-cycle.ts";
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
  const name = useView(chosenName);
  const { open, button, close, props } = useOpener();
  const next = useAgentCycle(button);
  const word = agentWord(t, next.isOpen ? next.name : name);
  const shown = next.isOpen ? word : agent;
  return (
    <>
      <button
        type="button"
        className="foot-button agent-button"
        data-testid="agent-picker"
        data-chosen={agent !== undefined}
        aria-haspopup="menu"
        title={`${t("Agent: {0}", word)}\n${keysText(t)}`}
        {...props}
      >
        <Icon name="agent" />
        <span className="only-heard">{t("Agent: {0}", word)}</span>
        {shown === undefined ? null : (
          <span className="foot-word" aria-hidden="true">
            {shown}
          </span>
        )}
      </button>
      <CycleStatus name={next.name} />
      {open ? <AgentMenu button={button} close={close} /> : null}
    </>
  );
}

function agentWord(t: Translate, name: string): string {
  if (name === "plan") return t("Plan");
  return name === "act" ? t("Act") : name;
}

function keysText(t: Translate): string {
  return t(
    "Shift+Tab in the message field chooses the next one. After Escape, Shift+Tab moves the focus back.",
  );
}

/** Tells screen readers what Shift+Tab chooses; the first time, also how to move the focus back. */
function CycleStatus({ name }: Pick<AgentCycle, "name">) {
  const { t } = usePanel();
  const [said, setSaid] = useState({ text: "", times: 0 });
  useEffect(() => {
    if (name === "") return;
    const word = t("Agent: {0}", agentWord(t, name));
    setSaid(({ times }) => ({ text: times === 0 ? `${word}. ${keysText(t)}` : word, times: times + 1 }));
  }, [t, name]);
  return (
    <span className="only-heard" role="status" data-testid="agent-status">
      {said.text}
    </span>
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
