/** How the composer shows each kind of mention: as a chip and as a menu entry. */
import type { Mention, MentionWord } from "../../src/shared/mentions.ts";
import type { PathKind } from "../../src/shared/view/current-file.ts";
import type { Translate } from "../../src/shared/words/task-words.ts";
import type { IconName } from "../toolkit/icon.tsx";

export interface MentionPresentation {
  icon: IconName;
  label(t: Translate): string;
  /** A second, dimmed text in the menu. */
  note?(t: Translate): string;
}

/** Mentions that are a fixed word. */
export const wordPresentations: Readonly<Record<MentionWord, MentionPresentation>> = {
  problems: {
    icon: "warning",
    label: (t) => t("Problems"),
    note: (t) => t("Errors and warnings"),
  },
  terminal: { icon: "terminal", label: (t) => t("Terminal"), note: (t) => t("Recent command output") },
  "git-changes": {
    icon: "diff",
    label: (t) => t("Git changes"),
    note: (t) => t("Uncommitted changes"),
  },
  selection: { icon: "text", label: (t) => t("Selection"), note: (t) => t("Selected code in the editor") },
  "open-editors": { icon: "file", label: (t) => t("Open editors"), note: (t) => t("Files open in editors") },
};

/** Mentions that have a value; the label is short enough for a chip. */
const valuePresentations: Readonly<
  Record<Exclude<Mention["kind"], MentionWord>, { icon: IconName; label(value: string): string }>
> = {
  file: { icon: "file", label: (path) => path.slice(path.lastIndexOf("/") + 1) },
  folder: { icon: "folder", label: (path) => (path === "" ? "/" : path.replace(/^.*\/(?=[^/]+\/$)/, "")) },
  lines: { icon: "file", label: (value) => value.slice(value.lastIndexOf("/") + 1) },
  symbol: { icon: "symbol", label: (value) => value.slice(value.lastIndexOf("#") + 1) },
  url: { icon: "globe", label: (url) => url.replace(/^https?:\/\/(?:www\.)?/, "").replace(/\/$/, "") },
  resource: { icon: "book", label: (value) => value.replace(/:.*\//s, ":") },
  commit: { icon: "commit", label: (hash) => hash.slice(0, 7) },
};

/** The chip of a mention. `onDisk`: whether its path is a file or a folder, once the host has answered. */
export function chipPresentation(
  t: Translate,
  { kind, value }: Mention,
  onDisk?: PathKind,
): { icon: IconName; label: string } {
  if (isWord(kind)) return { icon: wordPresentations[kind].icon, label: wordPresentations[kind].label(t) };
  const isPath = kind === "file" || kind === "folder";
  const shown = isPath && onDisk !== undefined && onDisk !== "none" ? onDisk : kind;
  return { icon: valuePresentations[shown].icon, label: valuePresentations[kind].label(value) };
}

function isWord(kind: Mention["kind"]): kind is MentionWord {
  return kind in wordPresentations;
}
