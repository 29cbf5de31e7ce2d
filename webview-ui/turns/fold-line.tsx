/** The line that replaces folded work; selecting it shows or hides the work. */
import { memo } from "react";
import { WORK_KINDS, type WorkKind } from "../../src/shared/tool-presentation.ts";
import type { Translate } from "../../src/shared/words/task-words.ts";
import { onDemand } from "../on-demand.tsx";
import { usePanel } from "../panel.ts";
import { duration } from "../text/numbers.ts";
import { Icon, type IconName } from "../toolkit/icon.tsx";
import { ProgressRing } from "../toolkit/progress-ring.tsx";
import type { WorkCounts, WorkFold } from "./layout.ts";
import { openFolds } from "./open-folds.ts";

const BlockedMark = onDemand(() => import("../rows/calls/blocked-mark.tsx"));

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
      className="fold-line opens"
      data-testid="work"
      data-depth={depth}
      aria-expanded={open}
      onClick={() => openFolds.set([id], !open)}
    >
      {fold.isBusy ? <ProgressRing /> : <Icon name={iconOf(counts)} />}
      <span className="fold-text">
        {workText(t, counts, fold.isBusy)}
        {seconds === undefined ? null : <span className="fold-time"> · {duration(t, seconds * 1_000)}</span>}
      </span>
      <Icon name="chevron" />
      {counts.blocked && !open ? <BlockedMark blocked={counts.blocked} /> : null}
    </button>
  );
});

const ICONS: Readonly<Record<WorkKind, IconName>> = {
  read: "file",
  search: "search",
  edit: "edit",
  command: "terminal",
  web: "globe",
  server: "plug",
  task: "list-unordered",
  other: "tools",
};

/** The icon of the only kind of work in the fold, or one for work of any kind. */
function iconOf(counts: WorkCounts): IconName {
  const kinds = WORK_KINDS.filter((kind) => counts[kind] !== undefined);
  if (kinds.every((kind) => kind === "read" || kind === "search") && kinds.length === 2) return "search";
  const [kind = "other"] = kinds;
  return kinds.length > 1 ? "tools" : ICONS[kind];
}

/** A summary of folded work, such as "Explored 12 files, edited 3, ran 2 commands". */
export function workText(t: Translate, counts: WorkCounts, isBusy = false): string {
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
  const edited =
    read > 0 && search === 0
      ? counted(edit, t("edited {0}", edit))
      : counted(edit, t("edited {0} files", edit), t("edited 1 file"));
  const parts = [
    ...counted(read, t("explored {0} files", read), t("explored 1 file")),
    ...counted(search, t("searched {0} times", search), t("searched once")),
    ...edited,
    ...counted(command, t("ran {0} commands", command), t("ran 1 command")),
    ...counted(web, t("opened {0} web pages", web), t("opened 1 web page")),
    ...counted(server, t("called {0} server tools", server), t("called 1 server tool")),
    ...counted(task, t("started {0} subtasks", task), t("started 1 subtask")),
    ...counted(other, t("{0} other steps", other), t("1 other step")),
    ...counted(failed, t("{0} failed", failed)),
    ...counted(rejected, t("{0} rejected", rejected)),
    ...counted(notRun, t("{0} not run", notRun)),
  ];
  const rest = unchanged > 0 ? t("changed nothing") : t("thought");
  if (parts.length === 0 && isBusy) return t("Working…");
  const text = parts.length === 0 ? rest : parts.join(t(", "));
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** No text for a count of 0. `one`: the text for a count of 1, if it differs. */
const counted = (count: number, many: string, one = many): string[] =>
  count === 0 ? [] : [count === 1 ? one : many];
