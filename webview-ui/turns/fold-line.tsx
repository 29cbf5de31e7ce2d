/** The line that replaces folded work; selecting it shows or hides the work. */
import { memo } from "react";
import type { Translate } from "../../src/shared/words/task-words.ts";
import { usePanel } from "../panel.ts";
import { duration } from "../text/numbers.ts";
import { Icon } from "../toolkit/icon.tsx";
import type { WorkCounts, WorkFold } from "./layout.ts";
import { openFolds } from "./open-folds.ts";

interface FoldLineProps {
  fold: WorkFold;
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

/** A summary of folded work, such as "Explored 12 files, edited 3, ran 2 commands". */
export function workText(t: Translate, counts: WorkCounts): string {
  const {
    read = 0,
    search = 0,
    edit = 0,
    command = 0,
    web = 0,
    server = 0,
    task = 0,
    other = 0,
    failed = 0,
    rejected = 0,
    unchanged = 0,
    "not-run": notRun = 0,
  } = counts;
  const edited = edit === 1 ? t("edited 1 file") : t("edited {0} files", edit);
  const parts = [
    read > 0 && (read === 1 ? t("explored 1 file") : t("explored {0} files", read)),
    search > 0 && (search === 1 ? t("searched once") : t("searched {0} times", search)),
    edit > 0 && (read > 0 && search === 0 ? t("edited {0}", edit) : edited),
    command > 0 && (command === 1 ? t("ran 1 command") : t("ran {0} commands", command)),
    web > 0 && (web === 1 ? t("opened 1 web page") : t("opened {0} web pages", web)),
    server > 0 && (server === 1 ? t("called 1 server tool") : t("called {0} server tools", server)),
    task > 0 && (task === 1 ? t("started 1 subtask") : t("started {0} subtasks", task)),
    other > 0 && (other === 1 ? t("1 other step") : t("{0} other steps", other)),
    failed > 0 && t("{0} failed", failed),
    rejected > 0 && t("{0} rejected", rejected),
    notRun > 0 && t("{0} not run", notRun),
  ].filter((part) => part !== false);
  const rest = unchanged > 0 ? t("changed nothing") : t("thought");
  const text = parts.length === 0 ? rest : parts.join(t(", "));
  return text.charAt(0).toUpperCase() + text.slice(1);
}
