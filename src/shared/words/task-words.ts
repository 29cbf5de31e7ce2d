/**
 * The words for what tasks report, for every host. `t` translates an English sentence with `{0}` placeholders; its
 * keys are those of `l10n/bundle.l10n.*.json`. A test checks that the bundles are complete.
 */
import type { Access, ChangedFile } from "../event.ts";
import { presentedTitle, type ToolPresentation } from "../tool-presentation.ts";
import type { CallState } from "../view/reducer.ts";

export type Translate = (english: string, ...values: (string | number)[]) => string;

/** Returns a translator for a bundle; a missing key falls back to English. */
export function translator(bundle: Readonly<Record<string, string>>): Translate {
  return (english, ...values) =>
    (bundle[english] ?? english).replace(/\{(\d+)\}/g, (place, index: string) => {
      const value = values[Number(index)];
      return value === undefined ? place : String(value);
    });
}

/** Data could not be written to disk; the system's error message follows. */
export function notSavedText(t: Translate): string {
  return t("Could not save to disk. Free up disk space or make the folder writable, and try again.");
}

/** Commands run in a shell other than the user's. */
export function otherShellText(
  t: Translate,
  own: string,
  why: "missing" | "unknown" | "in-project",
  used: string,
): string {
  if (why === "in-project")
    return t("Your shell {0} is inside the project, so commands run in {1}.", own, used);
  return why === "missing"
    ? t("Your shell {0} does not exist, so commands run in {1}.", own, used)
    : t("Your shell {0} is not supported, so commands run in {1}.", own, used);
}

/** A phrase received as data. */
export function phraseText(translate: Translate, phrase: string): string {
  return translate(phrase);
}

/** What a call is doing or did: a short phrase that precedes its subject. Without a presentation, the tool's name. */
export function callTitle(
  t: Translate,
  presentation: ToolPresentation | undefined,
  { tool, state, subject = "" }: { tool: string; state: CallState; subject?: string },
): string {
  if (!presentation) return tool;
  const { doing, running = doing, done = doing } = presentedTitle(presentation, subject).title;
  // A failed or skipped call did nothing: only completed calls use the past tense.
  return phraseText(t, state === "done" ? done : state === "running" ? running : doing);
}

/** What a row shows of the subject after `callTitle`. */
export function callSubject(presentation: ToolPresentation | undefined, subject: string): string {
  return presentation ? presentedTitle(presentation, subject).subject : subject;
}

/** The title and the subject, in one line. */
export function callPhrase(
  t: Translate,
  presentation: ToolPresentation | undefined,
  call: { tool: string; state: CallState; subject: string },
): string {
  return `${callTitle(t, presentation, call)} ${callSubject(presentation, call.subject)}`.trim();
}

export function approvalQuestion(
  t: Translate,
  access: Access,
  created: boolean,
  presentation?: ToolPresentation,
): string {
  if (presentation?.question !== undefined) return phraseText(t, presentation.question);
  switch (access) {
    case "edit":
      return created ? t("Create this file?") : t("Apply this change?");
    case "command":
      return t("Run this command?");
    case "read":
      return t("Read this?");
    case "web":
      return t("Fetch this URL?");
    case "mcp":
    case "talk":
      return t("Allow this?");
  }
}

/** What happens to one file of a call that changes several files. */
export function fileChangeText(
  t: Translate,
  { kind, becomes }: Pick<ChangedFile, "kind" | "becomes">,
): string {
  const isNew = kind === "add";
  if (becomes === "executable") return isNew ? t("Creates executable") : t("Makes executable");
  if (becomes === "link") return isNew ? t("Creates symbolic link") : t("Changes to symbolic link");
  switch (kind) {
    case "add":
      return t("Creates");
    case "update":
      return t("Changes");
    case "delete":
      return t("Deletes");
    case "move":
      return t("Moves");
  }
}
