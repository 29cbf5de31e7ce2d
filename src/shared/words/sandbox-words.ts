/** What users read about commands in the sandbox. */
import type { ApprovalView } from "../event.ts";
import type { MadeFiles, SandboxBlock, ShownResult, ShownSandboxPlace } from "../message.ts";
import type { SandboxState } from "../sandbox-state.ts";
import type { Translate } from "./task-words.ts";

/** Where a command runs if the user approves it; undefined: there is only one place. */
export function approvedPlaceText(
  t: Translate,
  { outsideSandbox, network }: Pick<ApprovalView, "outsideSandbox" | "network">,
): string | undefined {
  if (network) return t("Runs in the sandbox, with network");
  return outsideSandbox ? t("Runs outside the sandbox") : undefined;
}

/** The button of a command that the sandbox blocked. */
export function runBlockedText(t: Translate, { kind }: SandboxBlock): string {
  return kind === "network" ? t("Run with network") : t("Run outside the sandbox");
}

/** Characters of a command in the message of that button. */
const COMMAND_LENGTH = 200;

/** The user's message when they press that button. The command is in code, where mentions are not expanded. */
export function runBlockedMessage(t: Translate, command: string, { kind }: SandboxBlock): string {
  const [line = ""] = command.trim().split("\n", 1);
  const start = [...line].slice(0, COMMAND_LENGTH).join("");
  const code = inlineCode(start === command.trim() ? start : `${start}…`);
  return kind === "network" ? t("Run with network: {0}", code) : t("Run outside the sandbox: {0}", code);
}

/** A Markdown code span that the text cannot end. */
function inlineCode(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = "`".repeat(longest + 1);
  return longest === 0 ? `${ticks}${text}${ticks}` : `${ticks} ${text} ${ticks}`;
}

interface PlacedRow {
  shown?: ShownResult | undefined;
  sandbox?: ShownSandboxPlace | undefined;
  outside?: boolean | undefined;
}

/** In the row of a command: where it runs or ran, in a word; undefined: there is only one place. */
export function placeWord(t: Translate, { shown, sandbox, outside }: PlacedRow): string | undefined {
  const place = shown?.sandbox ?? sandbox;
  if (!place) return shown?.outside || outside ? t("Outside") : undefined;
  const { profile, network } = place;
  if (network) return t("Sandbox, network");
  return profile === "read" ? t("Sandbox, read-only") : t("Sandbox");
}

/** The same as a sentence. */
export function placeText(t: Translate, { shown, sandbox, outside }: PlacedRow): string {
  if (shown?.outside) return t("Ran outside the sandbox");
  if (outside) return t("Runs outside the sandbox");
  return shown?.sandbox ? sandboxText(t, shown.sandbox) : runningPlaceText(t, sandbox ?? {});
}

/** Under a command that runs in the sandbox. */
export function runningPlaceText(t: Translate, { profile, network }: ShownSandboxPlace): string {
  if (network) return t("Runs in the sandbox, with network");
  return profile === "read"
    ? t("Runs in the read-only sandbox, without network")
    : t("Runs in the sandbox, without network");
}

/** Under a command that ran in the sandbox. */
export function sandboxText(
  t: Translate,
  { profile, network, block }: NonNullable<ShownResult["sandbox"]>,
): string {
  if (block) return t("Blocked by the sandbox: {0}", blockText(t, block));
  if (network) return t("Ran in the sandbox, with network");
  return profile === "read"
    ? t("Ran in the read-only sandbox, without network")
    : t("Ran in the sandbox, without network");
}

/** What a command made that takes effect by itself, a line for each kind. */
export function madeFilesTexts(t: Translate, { rules, others, more }: MadeFiles): string[] {
  return [
    ...(rules.length === 0
      ? []
      : [t("New files that instruct agents, not used before your next message: {0}", rules.join(", "))]),
    ...(others.length === 0 ? [] : [t("New files that take effect by themselves: {0}", others.join(", "))]),
    ...(more === 0 ? [] : [t("{0} more such files", more)]),
  ];
}

function blockText(t: Translate, { kind, path }: SandboxBlock): string {
  switch (kind) {
    case "network":
      return t("network access");
    case "write":
      return path === undefined ? t("writing to a file") : t("writing to {0}", path);
    case "access":
      return path === undefined ? t("access to a file") : t("access to {0}", path);
  }
}

/** What sandbox there is, or why there is none and what helps. */
export function sandboxStateText(t: Translate, state: SandboxState): string {
  if (state.engine !== undefined) return `${state.engine} ${state.version}`.trim();
  const { why, detail } = state;
  switch (why) {
    case "system":
      return t("none is available on this system");
    case "missing":
      return t("none: install {0}", detail);
    case "refused":
      return t("none: the system does not allow it ({0})", detail);
    case "silent":
      return t("none: it did not answer in time ({0})", detail);
    case "place":
      return t("none: it cannot protect the project folder {0}", detail);
  }
}
