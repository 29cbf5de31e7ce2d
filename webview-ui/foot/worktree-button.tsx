/** Before the first message: whether the task begins in a worktree. After that: its branch, and the way to review it. */
import { usePanel, usePanelState, useView } from "../panel.ts";
import { Icon } from "../toolkit/icon.tsx";

export function WorktreeButton() {
  const { t, actions } = usePanel();
  const session = useView((view) => view.session);
  const begins = useView((view) => view.beginsInWorktree === true);
  const isOffered = usePanelState((state) => state.setup?.worktrees === true);
  if (session?.worktree) {
    const { branch } = session.worktree;
    return (
      <button
        type="button"
        className="foot-button worktree-button"
        data-testid="worktree-review"
        title={t("This task works in a worktree, on the branch {0}. Press to review it.", branch)}
        onClick={() => actions.run("host/review-worktree", {})}
      >
        <Icon name="branch" />
        <span className="only-heard">{t("Review Worktree")}: </span>
        <span className="foot-word worktree-branch">{branch}</span>
      </button>
    );
  }
  if (session || !isOffered) return null;
  return (
    <button
      type="button"
      className="foot-button worktree-button"
      data-testid="worktree-begin"
      aria-pressed={begins}
      title={t("Begin the task in a Git worktree of its own: your folder stays as it is until you merge")}
      onClick={() => actions.run("chat/worktree", { on: !begins })}
    >
      <Icon name="branch" />
      <span className="foot-word">{t("Worktree")}</span>
    </button>
  );
}
