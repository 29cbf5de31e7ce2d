/** The label of the button that approves a call, which says what happens then. */
import type { Danger } from "../danger.ts";
import type { ApprovalView } from "../event.ts";
import { nameOfEncoding } from "../text/encoding-name.ts";
import type { ToolPresentation } from "../tool-presentation.ts";
import { namesText } from "./checkpoint-words.ts";
import { phraseText, type Translate } from "./task-words.ts";

export function approveText(
  t: Translate,
  presentation: ToolPresentation | undefined,
  approval: ApprovalView | undefined,
): string {
  if (presentation?.approve !== undefined) return phraseText(t, presentation.approve);
  switch (approval?.access) {
    case "edit":
      if (approval.files?.length && approval.files.every(({ kind }) => kind === "delete")) return t("Delete");
      return approval.created ? t("Create") : t("Save");
    case "command":
      return t("Run");
    case "read":
      return t("Allow");
    case "web":
      return t("Fetch");
    case "mcp":
      return approval.server?.tool === undefined ? t("Allow") : t("Call");
    case undefined:
    case "talk":
      return t("Approve");
  }
}

/** What the approval of a command covers besides the command itself, and why it asks again; one sentence each. */
export function coverageTexts(
  t: Translate,
  { covers, changedSince = [] }: Pick<ApprovalView, "covers" | "changedSince">,
): string[] {
  const sentences: string[] = [];
  if (changedSince.length > 0)
    sentences.push(t("Not run, because files changed after you were asked: {0}", changedSince.join(", ")));
  if (covers && covers.files.length > 0) {
    const names = namesText(t, covers.files, covers.files.length + covers.more);
    sentences.push(
      t(
        "Your approval covers the content of {0}. If it changes before the command runs, you are asked again.",
        names,
      ),
    );
  }
  return sentences;
}

/** The encodings of the files that a call changes, where they are not UTF-8. A call for one file does not name it again. */
export function encodingTexts(t: Translate, { encodings = [] }: Pick<ApprovalView, "encodings">): string[] {
  return encodings.map((each) => {
    const text = encodingText(t, each);
    return encodings.length === 1 ? text : `${each.path}: ${text}`;
  });
}

type Encodings = NonNullable<ApprovalView["encodings"]>;

function encodingText(t: Translate, { encoding, isGuess }: Encodings[number]): string {
  const name = nameOfEncoding(encoding);
  return isGuess ? t("{0} (a guess; characters that it may write wrongly are not added)", name) : name;
}

/** What the command certainly does that is hard to take back, on one line; "": nothing is known. */
export function dangersText(t: Translate, { dangers = [] }: Pick<ApprovalView, "dangers">): string {
  return dangers.map((danger) => dangerText(t, danger)).join(" · ");
}

function dangerText(t: Translate, danger: Danger): string {
  switch (danger) {
    case "deletes":
      return t("Deletes files");
    case "outside":
      return t("Changes files outside the project");
    case "rewrites-remote":
      return t("Rewrites a remote branch");
    case "discards":
      return t("Discards changes");
    case "permissions":
      return t("Changes permissions");
    case "installs":
      return t("Installs packages");
  }
}
