/** A switch, shown before the first message, for whether the task starts in a worktree. */
import { usePanel, usePanelState, useView } from "../panel.ts";
import { Icon } from "../toolkit/icon.tsx";

export function WorktreeButton() {
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
