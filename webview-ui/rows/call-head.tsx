/** The line that every call begins with: what it does, to what, and how it went. */
import type { ReactNode } from "react";
import type { CallRow } from "../../src/shared/view/reducer.ts";
import { callStateText, callTitle, exitText } from "../../src/shared/words/task-words.ts";
import { LinkTo } from "../markdown/link.tsx";
import { usePanel } from "../panel.ts";
import { duration } from "../text/numbers.ts";
import { Icon, type IconName } from "../toolkit/icon.tsx";
import { ProgressRing } from "../toolkit/progress-ring.tsx";
import { Breakable, Changes } from "./changes.tsx";

const icons: Readonly<Record<string, IconName>> = {
  read_file: "file",
  write_to_file: "edit",
  replace_in_file: "edit",
  apply_patch: "edit",
  delete_file: "cross",
  list_files: "folder",
  search_files: "search",
  list_code_definition_names: "list",
  execute_command: "terminal",
  ask_followup_question: "question",
  attempt_completion: "check",
  plan_mode_respond: "list",
};

/** Tools whose subject is a file that can be opened. */
const onFiles: ReadonlySet<string> = new Set(["read_file", "write_to_file", "replace_in_file"]);

export const editTools: ReadonlySet<string> = new Set(["write_to_file", "replace_in_file", "apply_patch"]);

export function CallHead({ row, children }: { row: CallRow; children?: ReactNode }) {
  const { t } = usePanel();
  const busy = row.state === "streaming" || row.state === "running";
  return (
    <div className="call-head" data-state={row.state}>
      {busy ? <ProgressRing /> : <Icon name={icons[row.tool] ?? "tool"} />}
      <span className={children ? "call-what" : "call-what bare"}>
        <span className="call-title">{callTitle(t, row.tool, row.state)}</span> {children}
      </span>
      <CallState row={row} />
    </div>
  );
}

export function Subject({ row }: { row: CallRow }) {
  if (row.subject === "") return null;
  const shown = <Breakable text={row.subject} />;
  return (
    <span className="subject">
      {onFiles.has(row.tool) ? <LinkTo target={{ kind: "file", path: row.subject }}>{shown}</LinkTo> : shown}
    </span>
  );
}

function CallState({ row }: { row: CallRow }) {
  const { t } = usePanel();
  const words = callStateText(t, row.state);
  const { exitCode, durationMs } = row.shown ?? {};
  return (
    <span className="call-state">
      <Changes
        added={row.shown?.added ?? row.approval?.added}
        removed={row.shown?.removed ?? row.approval?.removed}
      />
      {typeof exitCode === "number" && exitCode !== 0 ? (
        <span className="bad">{exitText(t, exitCode)}</span>
      ) : null}
      {words === "" ? null : <span className={row.state === "failed" ? "bad" : undefined}>{words}</span>}
      {durationMs !== undefined && durationMs >= 1_000 ? <span>{duration(durationMs)}</span> : null}
    </span>
  );
}

/** What the person said when they approved or rejected. */
export function Comment({ row }: { row: CallRow }) {
  const { t } = usePanel();
  const comment = row.shown?.comment;
  return comment ? (
    <p className="comment">
      {t("Your comment:")} {comment}
    </p>
  ) : null;
}
