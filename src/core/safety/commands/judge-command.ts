/**
 * Decides whether a command may run without approval. The readers in `shells` parse it with its shell's grammar, and every simple command in
 * it is judged. Syntax that a reader does not list as understood asks: `$(...)`, for example, whose output nobody knows before.
 */
import { type Reason, reasonOf, type Verdict } from "../../../shared/reason.ts";
import type { ShellKind } from "../../ports/shell.ts";
import type { Assets } from "../../ports/system.ts";
import { openPattern } from "../paths/patterns.ts";
import { loadReader } from "../shells/read.ts";
import type { PlacedCommand, Reading, SimpleCommand, Word } from "../shells/shell-words.ts";
import { deniedBy, type EntryMatch, entryWords, type Lists } from "./prefixes.ts";
import { namesFile, shadowedProgram } from "./program-path.ts";
import { type ReadJudge, refusedUses } from "./secret-arguments.ts";
import { decidingEntry, judgeSimple, type SimpleVerdict } from "./simple-command.ts";
import { cachedReads, leavingReason, readsIn } from "./working-folders.ts";

/** What the verdict on a command depends on, apart from the lists. */
export interface CommandContext {
  shell: ShellKind;
  platform?: "linux" | "darwin" | "win32";
  /** The command is typed into an interactive shell, which expands history (`!x`) in double quotes. Default false. */
  interactive?: boolean;
  /** Whether .nekodeignore matches this path, as written in the command. */
  ignored?: (path: string) => boolean;
  /** If set, links to secrets and to files outside the project ask here as they do in the file tools. */
  reads?: ReadJudge;
}

/** Command prefixes, by word: the longest match wins, deny wins a tie. */
export interface CommandLists {
  allow: readonly string[];
  deny: readonly string[];
}

/** A simple command of an understood command, with its position in UTF-16 units; both ends are 0 if it is the only one. */
interface JudgedPart {
  start: number;
  end: number;
  verdict: Verdict;
  reason: Reason;
}

export interface CommandVerdict {
  /** "allow": may run without approval. "ask": the user decides. "deny": the user's deny list forbids it. */
  verdict: Verdict;
  reason: Reason;
  /** The words of each simple command, if the command was understood. */
  words?: string[][];
  /** The same commands with the verdict on each, in the folder that it runs in. */
  parts?: JudgedPart[];
}

/**
 * Parses a command once, for any number of lists. Grammars are loaded from `assets` on first use and kept. Rejects only if a
 * grammar cannot be loaded.
 */
export async function readCommand(
  assets: Assets,
  command: string,
  context: CommandContext,
): Promise<JudgedCommand> {
  const read = await loadReader(assets, context.shell, context.interactive);
  return new JudgedCommand(read(command), context);
}

/** A simple command with everything about it that does not depend on the lists. */
interface Step {
  command: SimpleCommand;
  /** The folders that it may run in: "" or with a trailing slash. */
  folders: { folder: string; isForeign: boolean }[];
  /** Why it asks, whichever entry covers it: it may move the following commands out of the project. */
  leaving: Reason | undefined;
  /** The verdicts so far, by the folder and the entries that decided. */
  findings: Map<string, Promise<SimpleVerdict>>;
}

/**
 * A command that has been read, and can be judged by any lists. Of the lists, a simple command's verdict depends only on the
 * entries that decide about it (`decidingEntry`): it is judged once for each, and each file and folder is read once.
 */
export class JudgedCommand {
  readonly #reading: Reading;
  readonly #context: CommandContext;
  readonly #reads: ReadJudge | undefined;
  #steps: Promise<Step[]> | undefined;

  constructor(reading: Reading, context: CommandContext) {
    this.#reading = reading;
    this.#context = context;
    this.#reads = context.reads && cachedReads(context.reads);
  }

  /** The verdict under these lists; there is one for every command. */
  async under({ allow, deny }: CommandLists): Promise<CommandVerdict> {
    const { shell, platform = "linux" } = this.#context;
    const lists: Lists = { allow, deny, shell, platform };
    const { commands, fault } = this.#reading;
    for (const { words } of commands) {
      const denied = deniedUnlessAllowed(textsOf(words), lists);
      if (denied) return { verdict: "deny", reason: reasonOf("deny-listed", denied.join(" ")) };
    }
    if (fault) return { verdict: "ask", reason: fault };
    this.#steps ??= stepsOf(commands, this.#reads);
    return this.#judgeAll(await this.#steps, lists);
  }

  async #judgeAll(steps: readonly Step[], lists: Lists): Promise<CommandVerdict> {
    const words = steps.map(({ command }) => textsOf(command.words));
    const parts: JudgedPart[] = [];
    for (const [i, { command, folders, leaving, findings }] of steps.entries()) {
      const part: JudgedPart = { ...placeOf(command), verdict: "allow", reason: reasonOf("none") };
      parts.push(part);
      const entry = decidingEntry(words[i] ?? [], lists);
      for (const { folder, isForeign } of folders) {
        const key = JSON.stringify([folder, entry]);
        const finding = findings.get(key) ?? this.#judgeIn(folder, command, entry, isForeign);
        findings.set(key, finding);
        const judged = await finding;
        if (judged.verdict === "deny") return { verdict: "deny", reason: judged.reason, words };
        if (part.verdict === "allow") ({ verdict: part.verdict, reason: part.reason } = judged);
      }
      if (part.verdict === "allow" && leaving !== undefined) refuse(part, leaving);
    }
    const decides = parts.find((part) => part.verdict !== "allow") ?? parts.at(-1);
    const { verdict, reason } = decides ?? { verdict: "ask", reason: reasonOf("empty") };
    return { verdict, reason, words, parts };
  }

  /** Judges one command in one folder. Without `reads`, only by its words. */
  async #judgeIn(
    folder: string,
    command: SimpleCommand,
    entry: EntryMatch | undefined,
    /** The folder may contain third-party code, for whose scripts no entry was created. */
    isForeign: boolean,
  ): Promise<SimpleVerdict> {
    const { shell, reads } = this.#context;
    const byWords = judgeSimple(command, entry, this.#context);
    if (byWords.verdict === "allow" && byWords.changes === true && isForeign) {
      const shown = command.words.slice(0, 2).map(({ text }) => text);
      return {
        ...byWords,
        verdict: "ask",
        reason: reasonOf("not-listed-in-folder", shown.join(" "), folder),
      };
    }
    if (byWords.verdict !== "allow") return byWords;
    const here = this.#reads && readsIn(folder, this.#reads);
    const [first, ...words] = command.words;
    const refused =
      shadowedProgram(command, shell, reads) ??
      (here && (await refusedUses(byWords, here))) ??
      (here && (await anotherFile(byWords, folder, command, shell, here))) ??
      openPattern(first?.text.toLowerCase() ?? "", words, byWords.reads, shell);
    return refused === undefined ? byWords : { ...byWords, verdict: "ask", reason: refused };
  }
}

async function stepsOf(commands: readonly PlacedCommand[], reads: ReadJudge | undefined): Promise<Step[]> {
  const foreign = new Set<string>();
  const steps: Step[] = [];
  for (const command of commands) {
    const folders = (command.folders ?? [""]).map((folder) => ({ folder, isForeign: foreign.has(folder) }));
    const isLost = command.folders === undefined && !steps.some((step) => step.leaving);
    const leaving = isLost ? reasonOf("many-folders") : await leavingReason(command, reads, foreign);
    steps.push({ command, folders, leaving, findings: new Map() });
  }
  return steps;
}

function textsOf(words: readonly Word[]): string[] {
  return words.map(({ text }) => text);
}

function refuse(part: JudgedPart, reason: Reason): void {
  part.verdict = "ask";
  part.reason = reason;
}

function placeOf({ words }: SimpleCommand): { start: number; end: number } {
  return { start: words[0]?.start ?? 0, end: words.at(-1)?.end ?? 0 };
}

/** Returns why the command may run or read a file other than the one that its entry names; otherwise undefined. */
async function anotherFile(
  { entry: [first = "", ...rest] = [] }: SimpleVerdict,
  folder: string,
  command: SimpleCommand,
  shell: ShellKind,
  here: ReadJudge,
): Promise<Reason | undefined> {
  const name = command.words[0]?.text ?? "";
  if (folder !== "" && (namesFile(first) || rest.some((word) => /[\\/]|\.\w+$/.test(word))))
    return reasonOf("not-listed", name);
  return shell === "cmd" ? fileBeforeProgram(command, here) : undefined;
}

/** Returns why cmd may run a file in the current folder, which takes precedence, instead of the program with this name. */
async function fileBeforeProgram(command: SimpleCommand, here: ReadJudge): Promise<Reason | undefined> {
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
