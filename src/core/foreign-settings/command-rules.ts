/**
 * Translates another agent's rules for commands into entries of our lists. An allowed command is taken over only if our entry covers no
 * other command; a denied one only if our entry covers all that the rule covers.
 */
import { builtInCommands, remainingCommands } from "../../shared/safe-commands.ts";
import type { SettingNote } from "../../shared/setting-proposals.ts";
import { isBoundedPattern } from "../bounded-pattern.ts";
import type { ShellKind } from "../ports/shell.ts";
import { approvalPrefix, spelled } from "../safety/commands/approval-prefix.ts";
import { entryWords } from "../safety/commands/prefixes.ts";
import { onlyReads } from "../safety/commands/simple-command.ts";
import { scanCommand } from "../safety/shells/scan.ts";
import type { CommandPattern, ForeignSetting, ForeignSettingsFile, RuleAction } from "./foreign-setting.ts";
import { looksSecret } from "./secret-values.ts";

export type ForeignRule = Extract<ForeignSetting, { kind: "rule" }>;

export interface CommandState {
  allow: readonly string[];
  deny: readonly string[];
  /** Commands run without asking that no list names. */
  runsUnlisted: boolean;
  platform: NodeJS.Platform;
}

export type TranslatedRule = { entry: string; notes: SettingNote[] } | { why: SettingNote };

const SHELLS = ["bash", "powershell", "cmd"] as const satisfies readonly ShellKind[];
/** Characters of the longest rule. */
const LONGEST = 500;
/** What is one command of plain words, of which some may be in quotes. */
const ONE_COMMAND = /^[^<>|&;$`(){}\r\n\\!*?[\]#~]+$/;
const PLAIN_WORDS = /^[\w./:=@%+,^-]+(?: [\w./:=@%+,^-]+)*$/;

const because = (code: string, value = ""): { why: SettingNote } => ({ why: { code, value } });

/** `rules`: all rules for commands of that agent, in the order of its files. */
export function allowRule(
  { command }: ForeignRule,
  rules: readonly { rule: ForeignRule; isLast: boolean }[],
  { allow, deny, platform }: CommandState,
): TranslatedRule {
  const text = command.text.trim();
  if (text.length > LONGEST || looksSecret(text)) return because("has-key");
  if (command.form !== "exact") return because("not-exact");
  if (!ONE_COMMAND.test(text)) return because("not-words");
  if (decision(text, rules) !== "allow") return because("other-rule");
  const scanned = scanCommand(text, { shell: "bash", interactive: false });
  const [first, ...others] = scanned.ok ? scanned.commands : [];
  if (!first || others.length > 0) return because("not-words");
  // An entry for such a program would also cover what follows the words, and it runs without an entry where that is safe.
  if (onlyReads(first, "bash") || isBuiltIn(text)) return because("only-reads");
  const entries = SHELLS.filter((shell) => shell === "bash" || platform === "win32").map((shell) =>
    approvalPrefix(text, shell),
  );
  const [entry] = entries;
  if (entry === undefined || entries.some((each) => each !== entry)) return because("not-storable");
  if (covers(deny, entry)) return because("denied-here");
  return allow.includes(entry) ? because("present") : { entry, notes: [] };
}

export function denyRule({ command }: ForeignRule, { allow, deny }: CommandState): TranslatedRule {
  const text = command.text.trim();
  if (text.length > LONGEST || looksSecret(text)) return because("has-key");
  if (command.form === "glob" || command.form === "regex" || !PLAIN_WORDS.test(text))
    return because("not-words");
  const entry = entryWords(text).map(spelled).join(" ");
  // Of two entries that cover a command, the longer one decides, so that an allowed one would weaken the rule.
  const own = allow.filter((each) => !each.startsWith("!"));
  const longer = [...own, ...SHELLS.flatMap((shell) => remainingCommands(allow, shell))].find(
    (each) => each !== entry && covers([entry], each),
  );
  if (longer !== undefined) return because("outweighed", longer);
  if (covers(deny, entry)) return because("present");
  const notes = command.form === "beginning" ? [{ code: "whole-words", value: "" }] : [];
  return { entry, notes };
}

/** A command that asks there asks here too, unless it is built in as one that only reads. */
export function askRule({ command }: ForeignRule, { allow, runsUnlisted }: CommandState): TranslatedRule {
  const text = command.text.trim();
  if (text.length > LONGEST || looksSecret(text)) return because("has-key");
  if (command.form === "glob" || command.form === "regex" || !PLAIN_WORDS.test(text))
    return because("not-words");
  if (runsUnlisted) return because("asks-not-here");
  const own = allow.find((each) => !each.startsWith("!") && covers([text], each));
  if (own !== undefined) return because("allowed-here", own);
  if (!SHELLS.some((shell) => covers([text], ...remainingCommands(allow, shell))))
    return because("asks-anyway");
  return { entry: `!${text}`, notes: [] };
}

/** Whether one of the entries consists of the first words of one of the commands. */
function covers(entries: readonly string[], ...commands: readonly string[]): boolean {
  return entries.some((entry) => {
    const words = entryWords(entry);
    return (
      words.length > 0 &&
      commands.some((command) => {
        const of = entryWords(command);
        return words.every((word, at) => word === of[at]);
      })
    );
  });
}

function isBuiltIn(text: string): boolean {
  return SHELLS.some((shell) => covers(builtInCommands(shell), text));
}

/** What the other agent does with the command. */
function decision(
  text: string,
  rules: readonly { rule: ForeignRule; isLast: boolean }[],
): RuleAction | undefined {
  const matching = rules.filter(({ rule }) => matches(rule.command, text));
  const strictest = (["deny", "ask", "allow"] as const).find((action) =>
    matching.some(({ rule, isLast }) => !isLast && rule.action === action),
  );
  const last = matching.findLast(({ isLast }) => isLast)?.rule.action;
  return strictest ?? last;
}

/** Case is ignored, and what cannot be known counts as a match: it only decides that a command is not allowed. */
function matches({ form, text: given }: CommandPattern, command: string): boolean {
  const [pattern, text] = [given.trim().toLowerCase(), command.toLowerCase()];
  switch (form) {
    case "exact":
      return text === pattern;
    case "words":
      return text === pattern || text.startsWith(`${pattern} `);
    case "beginning":
      return text.startsWith(pattern);
    case "glob":
      return globMatches(pattern, text);
    case "regex":
      return !isBoundedPattern(given, text.length) || new RegExp(given, "i").test(text);
  }
}

function globMatches(pattern: string, text: string): boolean {
  let [at, star, from] = [0, -1, 0];
  for (let i = 0; i < text.length; ) {
    if (at < pattern.length && pattern[at] !== "*" && (pattern[at] === "?" || pattern[at] === text[i])) {
      at++;
      i++;
    } else if (pattern[at] === "*") {
      star = at++;
      from = i;
    } else if (star >= 0) {
      at = star + 1;
      i = ++from;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(at));
}

/** The rules for commands of one agent. */
export function commandRules(
  files: readonly ForeignSettingsFile[],
): { rule: ForeignRule; isLast: boolean }[] {
  return files.flatMap(({ settings, precedence }) =>
    settings.flatMap((setting) =>
      setting.kind === "rule" ? [{ rule: setting, isLast: precedence === "last" }] : [],
    ),
  );
}
