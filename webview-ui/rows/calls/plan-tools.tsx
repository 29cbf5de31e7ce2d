/** The actions on a plan: start it, and for a document, open it in an editor and send the comments on its lines. */
import { useEffect, useState } from "react";
import { agentListSchema } from "../../../src/shared/agent-list.ts";
import type { PlanAction } from "../../../src/shared/plan-action.ts";
import { type PlanStart, planStartText, planTitle } from "../../../src/shared/plan-document.ts";
import type { CallRow } from "../../../src/shared/view/reducer.ts";
import { usePanel, usePanelState, useView } from "../../panel.ts";
import { ActionMenu, type MenuAction } from "../../toolkit/action-menu.tsx";
import { Button } from "../../toolkit/button.tsx";
import { isUnanswered } from "../open-end.ts";

/** Agents, and models, that the menu lists. */
const MOST_LISTED = 6;

export default function PlanTools({ row }: { row: CallRow }) {
  return planTitle(row.text) === undefined ? <PlainPlan id={row.id} /> : <PlanDocument id={row.id} />;
}

/** A plan that is no document can be started while it is unanswered. */
function PlainPlan({ id }: { id: string }) {
  const { t, actions } = usePanel();
  const waits = useView((view) => isUnanswered(view, id));
  const isIdle = useView((view) => view.status === "idle");
  const isAct = useView((view) => view.mode === "act");
  if (!waits || !isIdle) return null;
  return (
    <div className="buttons plan-tools">
      <Button kind="primary" testId="start-answer" onPress={() => actions.run("chat/start-plan", {})}>
        {isAct ? t("Start") : t("Switch to Act and start")}
      </Button>
      <ActHint id={id} />
    </div>
  );
}

function PlanDocument({ id }: { id: string }) {
  const { t, actions } = usePanel();
  /** Set for the newest plan. */
  const plan = useView((view) => (view.plan?.callId === id ? view.plan : undefined));
  const isIdle = useView((view) => view.status === "idle");
  const starts = useView(
    (view) => (view.mode === "plan" || isUnanswered(view, id)) && view.session?.isSubtask !== true,
  );
  const ask = (action: PlanAction) => actions.run("plans/ask", { ask: action });
  const start = (how: PlanStart) => {
    actions.send(planStartText(how)).catch(() => {
      // The action reports the failure, and the plan can be started again.
    });
  };
  const comments = plan?.comments ?? 0;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of buttons, not of fields
    <div className="buttons plan-tools" role="group" aria-label={t("Plan")} data-testid="plan-tools">
      {plan && starts ? (
        <span className="plan-start">
          <Button
            kind="primary"
            testId="start-plan"
            disabled={!isIdle}
            hint={t("Switch to Act and carry out this plan")}
            onPress={() => start({ place: "here" })}
          >
            {t("Start")}
          </Button>
          <StartMenu start={start} disabled={!isIdle} />
        </span>
      ) : null}
      <Button testId="open-plan" onPress={() => ask({ action: "open", callId: id })}>
        {t("Open in editor")}
      </Button>
      {comments > 0 ? (
        <Button testId="send-comments" disabled={!isIdle} onPress={() => ask({ action: "send-comments" })}>
          {comments === 1 ? t("Send 1 comment") : t("Send {0} comments", comments)}
        </Button>
      ) : null}
      {plan?.isEdited ? <span className="detail">{t("You edited this plan in the editor")}</span> : null}
      {plan && starts ? <ActHint id={id} /> : null}
    </div>
  );
}

/** Says what carries out a plan that waits in act mode: the switch of the mode does not. */
function ActHint({ id }: { id: string }) {
  const { t } = usePanel();
  const waits = useView((view) => view.mode === "act" && view.status === "idle" && isUnanswered(view, id));
  return waits ? (
    <span className="detail" data-testid="plan-waits">
      {t("To carry out this plan, press Start or send a message")}
    </span>
  ) : null;
}

/** Where else, and by whom, the plan can be carried out. */
function StartMenu({ start, disabled }: { start(how: PlanStart): void; disabled: boolean }) {
  const { t, composer } = usePanel();
  const hasWorktrees = usePanelState((state) => state.setup?.worktrees === true);
  const { agents, models } = useChoices();
  const items: MenuAction[] = [
    { id: "start-new", label: t("Start in a new task"), run: () => start({ place: "new" }) },
    ...(hasWorktrees
      ? [
          {
            id: "start-worktree",
            label: t("Start in a new task in a worktree"),
            run: () => start({ place: "worktree" }),
          },
        ]
      : []),
    ...agents.map((agent) => ({
      id: "start-agent",
      label: t("Start with the agent {0}", agent),
      run: () => start({ place: "here", agent }),
    })),
    ...models.map((model) => ({
      id: "start-model",
      label: t("Start with the model {0}", model),
      run: () => start({ place: "here", model }),
    })),
    {
      id: "start-other-model",
      label: t("Start with another model…"),
      // The user completes the message with the name of the model.
      run: () => composer.insert(planStartText({ place: "here", model: "" })),
    },
  ];
  return (
    <ActionMenu
      label={t("More ways to start")}
      testId="start-menu"
      icon="expand"
      disabled={disabled}
      actions={items}
    />
  );
}

/** The agents, and the models that the user likes or used last, besides the one of act mode. */
function useChoices(): { agents: readonly string[]; models: readonly string[] } {
  const { actions } = usePanel();
  const chosen = useView((view) => view.chosen.act);
  const usual = usePanelState((state) => state.setup?.models.act);
  const [agents, setAgents] = useState<readonly string[]>([]);
  const [models, setModels] = useState<readonly string[]>([]);
  useEffect(() => {
    let isGone = false;
    void actions.quietly("agents/list", {}).then((answer) => {
      if (answer === undefined || isGone) return;
      setAgents(agentListSchema.parse(answer).agents.map(({ name }) => name));
    });
    void actions.quietly("models/list", {}).then((answer) => {
      if (answer !== undefined && !isGone) setModels([...new Set([...answer.favorites, ...answer.recents])]);
    });
    return () => {
      isGone = true;
    };
  }, [actions]);
  return {
    // A name with a space cannot be written after `/start`.
    agents: agents.filter((name) => !/\s/.test(name)).slice(0, MOST_LISTED),
    models: models.filter((name) => name !== (chosen || usual)).slice(0, MOST_LISTED),
  };
}
