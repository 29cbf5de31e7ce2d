/** The branch of the worktree that the task works in, with a button to review it. */
import { usePanel, useView } from "./panel.ts";
import { Icon } from "./toolkit/icon.tsx";

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
