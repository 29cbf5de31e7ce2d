/** The words for settings of other agents. */
import type { ProposalKind, SettingNote, SettingOutcome, SettingProposal } from "../setting-proposals.ts";
import { unreachable } from "../unreachable.ts";
import type { Translate } from "./task-words.ts";

/** What it is, and its name. A name such as `deny: Bash(rm *)` also says what kind it is, which is not repeated. */
export function settingTitle(t: Translate, { kind, name }: Pick<SettingProposal, "kind" | "name">): string {
  return `${settingKindText(t, kind)}: ${name.replace(/^(?:allow|ask|deny|model): /, "")}`;
}

/** What a proposal is about. */
function settingKindText(t: Translate, kind: ProposalKind): string {
  switch (kind) {
    case "server":
      return t("MCP server");
    case "agent":
      return t("Agent");
    case "rules":
      return t("Rules");
    case "allow":
      return t("Command that runs without asking");
    case "deny":
      return t("Denied command");
    case "builtin":
      return t("Read-only command that asks");
    case "model":
      return t("Model");
    default:
      return unreachable(kind);
  }
}

/** What the user should know before they take it over. */
export function settingNoteText(t: Translate, { code, value }: SettingNote): string {
  switch (code) {
    case "enter":
      return t(
        "Not copied, because it may be secret: {0}. You enter it when the server first starts.",
        value,
      );
    case "dropped":
      return t("Has no effect in Nekode, and is left out: {0}", value);
    case "approve-server":
      return t("The server starts only after you approve it in the list of MCP servers.");
    case "whole-words":
      return t("Nekode compares whole words, and the other agent the first letters.");
    default:
      return value;
  }
}

/** Why a setting is not taken over. */
export function leftSettingText(t: Translate, { code, value }: SettingNote): string {
  return leftRuleText(t, code, value) ?? leftOtherText(t, code, value);
}

/** About rules for what runs without asking. */
function leftRuleText(t: Translate, code: string, value: string): string | undefined {
  switch (code) {
    case "of-project":
      return t("It is in a file of the project, which cannot allow anything.");
    case "not-exact":
      return t("It allows more than one command. Nekode allows only exact commands.");
    case "not-words":
      return t("It is a pattern or more than one command, which Nekode's lists cannot express exactly.");
    case "other-rule":
      return t("Another rule of that agent asks for this command or denies it.");
    case "only-reads":
      return t("Nekode has this as a read-only command already.");
    case "not-storable":
      return t("The command runs what its arguments say, so Nekode always asks.");
    case "denied-here":
      return t("You deny this command in Nekode.");
    case "outweighed":
      return t("The allowed command {0} would take precedence over it.", value);
    case "asks-not-here":
      return t("At your permission level, commands run without asking. Select another level to be asked.");
    case "allowed-here":
      return t("You allow {0} in Nekode.", value);
    case "asks-anyway":
      return t("Nekode asks for this command already.");
    case "files-rule":
      return t(
        "Nekode has no list of files in its settings. To keep files from the agent, use .nekodeignore.",
      );
    case "web-rule":
      return t("Nekode has no list of websites in its settings. It asks, unless you allow web access.");
    case "tool-rule":
      return t("Choose this for the tool in the list of MCP servers.");
    case "level":
      return t("Select the permission level in Nekode.");
    case "in-editor-state":
      return t("It is in the editor's internal state, which Nekode cannot read.");
    default:
      return undefined;
  }
}

function leftOtherText(t: Translate, code: string, value: string): string {
  switch (code) {
    case "present":
      return t("You have it in Nekode already.");
    case "has-key":
      return t("It contains what looks like a key.");
    case "server-name":
      return t("Its name cannot be used.");
    case "agent-name":
    case "file-name":
      return t("Its name cannot be the name of a file.");
    case "name-taken":
      return t("You have another one with this name: {0}", value);
    case "own-servers":
      return t("Your own file cannot be read. Correct it first: {0}", value);
    case "invalid":
      return t("Nekode cannot use it as it is.");
    case "too-long":
      return t("It is too long.");
    case "prompt-in-file":
      return t("Its instructions refer to another file.");
    case "model-of-project":
      return t("It is in a file of the project, which cannot choose a model.");
    case "model-alias":
      return t("It is not the exact name of a model.");
    case "no-connection":
      return value === ""
        ? t("You have no connection that offers this model.")
        : t("You have no connection to {0}.", value);
    case "too-many":
      return t("Only the first {0} settings of this file are listed.", value);
    default:
      return t("It has no counterpart in Nekode.");
  }
}

export function settingOutcomeText(t: Translate, outcome: SettingOutcome): string {
  switch (outcome) {
    case "taken":
      return t("Taken over.");
    case "undone":
      return t("Undone.");
    case "changed":
      return t("Nothing was changed, because it is no longer as it was shown.");
    default:
      return unreachable(outcome);
  }
}
