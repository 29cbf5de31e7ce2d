/**
 * Decides whether a command may run without approval: parses it with its shell's grammar and judges every simple
 * command in it.
 */
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import type { Assets } from "../../ports/system.ts";
import { expandGlobs, mayMatchOthers, unseenGlob } from "../paths/globs.ts";
import type { TreeRead } from "../paths/trees.ts";
import { readBash } from "../shells/bash.ts";
import { loadGrammar } from "../shells/grammar.ts";
import { codePoint, hiddenCharacter, isOddSpace, LONGEST_COMMAND } from "../shells/hidden-characters.ts";
import { readCmd, seenInCmd } from "../shells/read-cmd.ts";
import { readPowerShell } from "../shells/read-powershell.ts";
import { isWindowsShell, type Reading, type Shell, type SimpleCommand } from "../shells/shell-words.ts";
import { deniedBy, entryWords, type Lists } from "./prefixes.ts";
import { namesFile, otherFile } from "./program-path.ts";
import { type ReadJudge, refusedReads } from "./secret-arguments.ts";
import { shadowedProgram } from "./shadowed.ts";
import { type Judged, judgeSimple } from "./simple-command.ts";
import { cachedReads, Folders, readsIn } from "./working-folders.ts";

export type { TreeRead } from "../paths/trees.ts";

export interface CommandOptions {
  shell: Shell;
  /** Command prefixes, by word: the longest match wins, deny wins a tie. */
  allow: string[];
  deny: string[];
  platform?: "linux" | "darwin" | "win32";
  /** The command is typed into an interactive shell, which expands history (`!x`) in double quotes. Default false. */
  interactive?: boolean;
  /** Whether .nekodeignore matches this path, as written in the command. */
  ignored?: (path: string) => boolean;
  /** If set, links to secrets and to files outside the project ask here as they do in the file tools. */
  reads?: ReadJudge;
}

/** A simple command of an understood command, with its position in UTF-16 units; 0 to 0: it is the only one. */
interface JudgedPart {
  start: number;
  end: number;
  verdict: CommandVerdict["verdict"];
  reason: Reason;
}

export interface CommandVerdict {
  /** "allow": may run without approval. "ask": the user decides. "deny": the user's deny list forbids it. */
  verdict: "allow" | "ask" | "deny";
  reason: Reason;
  /** The words of each simple command, if the command was understood. */
  words?: string[][];
  /** The same commands with the verdict on each, in the folder that it runs in. */
  parts?: JudgedPart[];
  /** Folders that it reads recursively: only a check of the disk shows whether something in them requires approval. */
  trees?: TreeRead[];
}

export type JudgeCommand = (command: string, options: CommandOptions) => Promise<CommandVerdict>;

/**
 * Creates the judge of commands. Grammars are loaded from `assets` on first use and kept. The judge returns a verdict
 * for every string; it rejects only if a grammar cannot be loaded.
 */
export function createCommandJudge(assets: Assets): JudgeCommand {
  return async (command, options) => {
    if (command.length > LONGEST_COMMAND) return { verdict: "ask", reason: reasonOf("too-long") };
    const lists: Lists = {
      allow: options.allow,
      deny: options.deny,
      shell: options.shell,
      platform: options.platform ?? "linux",
    };
    const { reading, seen } = await read(assets, command, options);
    for (const words of seen) {
      const denied = words.length > 0 && deniedUnlessAllowed(words, lists);
      if (denied) return { verdict: "deny", reason: reasonOf("deny-listed", denied.join(" ")) };
    }
    if (!reading.ok) return { verdict: "ask", reason: reading.reason };
    return judgeAll(reading, lists, options);
  };
}

async function judgeAll(
  reading: Extract<Reading, { ok: true }>,
  lists: Lists,
  options: CommandOptions,
): Promise<CommandVerdict> {
  const words = reading.commands.map((command) => command.words.map((word) => word.text));
  const parts: JudgedPart[] = [];
  const trees: TreeRead[] = [];
  const folders = new Folders(reading.commands);
  const reads = options.reads && cachedReads(options.reads);
  const changing: SimpleCommand[] = [];
  for (const command of reading.commands) {
    folders.before(command);
    const part: JudgedPart = { ...placeOf(command), verdict: "allow", reason: reasonOf("none") };
    parts.push(part);
    for (const folder of folders.now) {
      const judged = await judgeIn(folder, command, lists, options, reads, folders.isForeign(folder));
      if (judged.verdict === "deny") return { verdict: "deny", reason: judged.reason, words };
      if (part.verdict === "allow") ({ verdict: part.verdict, reason: part.reason } = judged);
      trees.push(...judged.trees);
      if (judged.changes) changing.push(command);
    }
    const elsewhere = await folders.after(command, reads);
    if (part.verdict === "allow" && elsewhere !== undefined) refuse(part, elsewhere);
  }
  const open = reading.commands.findIndex(
    (command) => mayMatchOthers(command) && changing.some((other) => other !== command),
  );
  const spreading = parts[open];
  if (spreading?.verdict === "allow") {
    const glob = reading.commands[open]?.words.find((word) => word.glob);
    refuse(spreading, reasonOf("pattern-several-files", glob?.text ?? ""));
  }
  const decides = parts.find((part) => part.verdict !== "allow") ?? parts.at(-1);
  const { verdict, reason } = decides ?? { verdict: "ask", reason: reasonOf("empty") };
  return { verdict, reason, words, parts, ...(trees.length > 0 ? { trees } : {}) };
}

function refuse(part: JudgedPart, reason: Reason): void {
  part.verdict = "ask";
  part.reason = reason;
}

function placeOf({ words }: SimpleCommand): { start: number; end: number } {
  return { start: words[0]?.start ?? 0, end: words.at(-1)?.end ?? 0 };
}

/** Judges one command in one folder ("" or with a trailing slash). Without `reads`, only by its words. */
async function judgeIn(
  folder: string,
  command: SimpleCommand,
  lists: Lists,
  options: CommandOptions,
  reads: ReadJudge | undefined,
  /** The folder may contain third-party code, for whose scripts no entry was created. */
  unseenFolder: boolean,
): Promise<Judged> {
  const byWords = judgeSimple(command, lists, options.ignored);
  const foreign = byWords.verdict === "allow" && byWords.changes === true && unseenFolder;
  if (foreign) {
    const shown = command.words.slice(0, 2).map(({ text }) => text);
    return {
      ...byWords,
      verdict: "ask",
      reason: reasonOf("not-listed-in-folder", shown.join(" "), folder),
    };
  }
  if (!reads) {
    const unseen = byWords.verdict === "allow" ? unseenGlob(command, lists.shell) : undefined;
    return unseen === undefined ? byWords : { ...byWords, verdict: "ask", reason: unseen };
  }
  if (byWords.verdict === "deny") return byWords;
  const here = readsIn(folder, reads);
  const seen = await expandGlobs(command, lists.shell, here.list);
  if ("reason" in seen) return { ...byWords, verdict: "ask", reason: seen.reason };
  const judged = seen.command === command ? byWords : judgeSimple(seen.command, lists, options.ignored);
  if (judged.verdict !== "allow") return judged;
  const refused =
    shadowedProgram(seen.command, lists.shell, options.reads) ??
    (await refusedReads(judged, here)) ??
    (await anotherFile(judged, folder, command, lists, here));
  return refused === undefined ? judged : { ...judged, verdict: "ask", reason: refused };
}

/** Returns why the command may run or read a file other than the one that its entry names; otherwise undefined. */
async function anotherFile(
  { entry: [first = "", ...rest] = [] }: Judged,
  folder: string,
  command: SimpleCommand,
  { shell }: Lists,
  here: ReadJudge,
): Promise<Reason | undefined> {
  const name = command.words[0]?.text ?? "";
  if (folder !== "" && (namesFile(first) || rest.some((word) => /[\\/]|\.\w+$/.test(word))))
    return reasonOf("not-listed", name);
  if (namesFile(first)) return otherFile(first, name, shell, here);
  return shell === "cmd" ? standsFor(command, here) : undefined;
}

/** Checks what cmd reads as a program's name, and which file it runs: a file in the current folder takes precedence. */
async function standsFor(command: SimpleCommand, here: ReadJudge): Promise<Reason | undefined> {
  const name = command.words[0]?.text.toLowerCase() ?? "";
  const names = await here.list(".");
  if (!names) return reasonOf("link-elsewhere", ".");
  const file = names.find((each) => each.toLowerCase().split(".").slice(0, -1).join(".") === name);
  return file === undefined ? undefined : reasonOf("steers-what-runs", file);
}

/**
 * A longer allow entry overrides a deny entry in the simple case; behind wrappers and in unusual positions, deny
 * applies.
 */
function deniedUnlessAllowed(words: string[], lists: Lists): string[] | undefined {
  const denied = deniedBy(words, lists);
  if (!denied) return undefined;
  const outweighed = lists.allow.some((entry) => {
    const parts = entryWords(entry);
    return parts.length > denied.length && parts.every((part, i) => part === words[i]);
  });
  return outweighed ? undefined : denied;
}

async function read(
  assets: Assets,
  command: string,
  options: CommandOptions,
): Promise<{ reading: Reading; seen: string[][] }> {
  const { shell, interactive = false } = options;
  const result = await readByShell(assets, command, shell, interactive);
  const hidden = hiddenCharacter(command);
  if (hidden) return { ...result, reading: { ok: false, reason: reasonOf("hidden-character", hidden) } };
  const odd = isWindowsShell(shell) ? [...command].find(isOddSpace) : undefined;
  if (odd)
    return { ...result, reading: { ok: false, reason: reasonOf("unusual-white-space", codePoint(odd)) } };
  return result;
}

async function readByShell(
  assets: Assets,
  command: string,
  shell: Shell,
  interactive: boolean,
): Promise<{ reading: Reading; seen: string[][] }> {
  switch (shell) {
    case "cmd":
      return { reading: readCmd(command), seen: seenInCmd(command) };
    case "powershell":
      return readPowerShell(await loadGrammar(assets, "powershell"), command);
    case "bash":
    case "zsh":
    case "sh":
    case "fish":
      return readBash(await loadGrammar(assets, "bash"), command, { shell, interactive });
    default:
      return { reading: { ok: false, reason: reasonOf("unknown-shell") }, seen: [] };
  }
}
