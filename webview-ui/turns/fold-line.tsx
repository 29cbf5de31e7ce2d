/** The line that stands for folded work; selecting it shows or hides the work. */
import { memo } from "react";
import { usePanel } from "../panel.ts";
import { duration } from "../text/numbers.ts";
import { Icon } from "../toolkit/icon.tsx";
import type { Fold } from "./layout.ts";
import { openFolds } from "./open-folds.ts";
import { workText } from "./work-words.ts";

interface FoldLineProps {
  fold: Fold;
  open: boolean;
  depth: number;
}

export const FoldLine = memo(function FoldLine({ fold, open, depth }: FoldLineProps) {
  const { t } = usePanel();
  const { id, counts, seconds } = fold;
  return (
    <button
      type="button"
      className="fold-line"
      data-testid="work"
      data-depth={depth}
      aria-expanded={open}
      onClick={() => openFolds.set([id], !open)}
    >
      <Icon name="chevron" />
      <span className="fold-text">
        {workText(t, counts)}
        {seconds === undefined ? null : <span className="fold-time"> · {duration(t, seconds * 1_000)}</span>}
      </span>
    </button>
  );
});
