/** The texts of a replay's report. */
import type { ScratchRefusal } from "../../node/git/scratch-copy.ts";
import type { NotRunReason, ReplayReport } from "../../shared/run/replay-report.ts";
import { visible } from "../../shared/visible.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import { oneLine } from "../screen.ts";

export function replayText(report: ReplayReport, t: Translate): string {
  const { answers, calls, differences, notRun, skipped, files, against, session } = report;
  const commit = against.commit?.slice(0, 12) ?? t("no commit");
  const place =
    against.revision === null
      ? t("the files as they are, at {0}", commit)
      : `${oneLine(against.revision)} (${commit})`;
  const lines = [
    t("Session {0}, replayed against {1}", session, place),
    t("Answers: {0} of {1} played", answers.played, answers.recorded),
    t("Calls: {0} same, {1} different, {2} not run", calls.same, calls.different, calls.notRun),
    ...differences.flatMap(({ answer, label, recorded, replayed, diff }) => [
      "",
      `${t("Different: answer {0}, {1}", answer, oneLine(label))} (${recorded ?? "-"} → ${replayed ?? "-"})`,
      ...(diff === "" ? [] : [visible(diff).trimEnd()]),
    ]),
    ...heading(notRun.length, t("Not run:")),
    ...notRun.map(
      ({ answer, label, why }) => `  ${t("answer {0}, {1}", answer, oneLine(label))}: ${notRunText(t, why)}`,
    ),
    ...heading(skipped.length, t("Not part of the replay:")),
    ...skipped.map(({ what, text }) => `  ${skippedText(t, what)}${text === "" ? "" : `: ${oneLine(text)}`}`),
    ...heading(files.length, t("Files:")),
    ...files.map(
      ({ path, kind, sha256, recorded }) =>
        `  ${oneLine(path)}: ${sha256 === null && kind === "unchanged" ? t("not there") : kindText(t, kind)}, ${bytesText(t, recorded)}`,
    ),
    "",
    report.same ? t("Everything that ran is the same.") : t("The replay differs from the session."),
  ];
  return `${lines.join("\n")}\n`;
}

function heading(count: number, text: string): string[] {
  return count === 0 ? [] : ["", text];
}

function notRunText(t: Translate, why: NotRunReason): string {
  switch (why) {
    case "permission":
      return t("the permission of this replay does not cover it (--permission)");
    case "not-available":
      return t("a replay has no such tool");
    case "after-not-run":
      return t("a call before it was not run");
  }
}

function skippedText(t: Translate, what: ReplayReport["skipped"][number]["what"]): string {
  switch (what) {
    case "cut-off-answer":
      return t("an answer that was cut off");
    case "empty-answer":
      return t("an answer without content");
    case "condense":
      return t("a summary of the conversation");
    case "comparison":
      return t("answers of several models side by side");
    case "message":
      return t("a message that could not be sent");
  }
}

function kindText(t: Translate, kind: ReplayReport["files"][number]["kind"]): string {
  switch (kind) {
    case "added":
      return t("added");
    case "changed":
      return t("changed");
    case "deleted":
      return t("deleted");
    case "unchanged":
      return t("not changed");
  }
}

function bytesText(t: Translate, recorded: ReplayReport["files"][number]["recorded"]): string {
  switch (recorded) {
    case "same":
      return t("same content as in the session");
    case "different":
      return t("different content than in the session");
    case "unknown":
      return t("content in the session not known");
  }
}

export function scratchRefusalText(
  t: Translate,
  code: ScratchRefusal,
  values: { root: string; revision: string },
) {
  switch (code) {
    case "no-repository":
      return t(
        "A session can be replayed only in a Git repository, and {0} is not in one. Create one with git init.",
        values.root,
      );
    case "no-git":
      return t("A replay requires Git, which is not installed.");
    case "no-revision":
      return t("{0} is not a commit of this repository. git log shows its commits.", values.revision);
  }
}
