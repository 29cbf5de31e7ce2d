/**
 * Decides whether a command may run without approval. The readers in `shells` parse it with its shell's grammar, and every simple command in
 * it is judged. Syntax that a reader does not list as understood asks: `$(...)`, for example, whose output nobody knows before.
 */
import { type Reason, reasonOf, type Verdict } from "../../../shared/reason.ts";
import type { ShellKind } from "../../ports/shell.ts";
import type { Assets } from "../../ports/system.ts";
import { openPattern } from "../paths/patterns.ts";
import { NAMES_SECRET } from "../policy.ts";
import { loadReader } from "../shells/read.ts";
import type { Reading, SimpleCommand } from "../shells/shell-words.ts";
import { deniedBy, type EntryMatch, entryWords, type Lists } from "./prefixes.ts";
import { namesFile, shadowedProgram } from "./program-path.ts";
import { type ReadJudge, refusedUses } from "./secret-arguments.ts";
import { decidingEntry, judgeSimple, type SimpleVerdict } from "./simple-command.ts";
import { leavingReason, readsIn } from "./working-folders.ts";

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
  const read = await loadReader(assets, context.shell, command, context.interactive);
  return new JudgedCommand(read(command), context);
}

/**
 * A command that has been read, and can be judged by any lists. Of the lists, a simple command's verdict depends only on the
 * entry that decides about it (`decidingEntry`).
 */
export class JudgedCommand {
  readonly #reading: Reading;
  readonly #context: CommandContext;

  constructor(reading: Reading, context: CommandContext) {
    this.#reading = reading;
    this.#context = context;
  }

  /** The verdict under these lists; there is one for every command. */
  async under({ allow, deny }: CommandLists): Promise<CommandVerdict> {
    const { shell, platform = "linux" } = this.#context;
    const lists: Lists = { allow, deny, shell, platform };
    const { commands, fault } = this.#reading;
    const words = commands.map((command) => command.words.map(({ text }) => text));
    for (const each of words) {
      const denied = deniedUnlessAllowed(each, lists);
      if (denied) return { verdict: "deny", reason: reasonOf("deny-listed", denied.join(" ")) };
    }
    const parts = await this.#partsOf(words, lists);
    // Of a text that is not understood, what its commands name still counts.
    const secret = parts.find(({ reason }) => NAMES_SECRET.has(reason.code));
    if (fault) return { verdict: "ask", reason: secret?.reason ?? fault };
    const decides = ["deny", "ask", "allow"].flatMap(
      (kind) => parts.find(({ verdict }) => verdict === kind) ?? [],
    );
    const { verdict, reason } = decides[0] ?? { verdict: "ask", reason: reasonOf("empty") };
    return { verdict, reason, words, parts };
  }

  async #partsOf(words: string[][], lists: Lists): Promise<JudgedPart[]> {
    const { reads } = this.#context;
    /** Folders that may contain third-party code, for whose scripts no entry was created. */
    const foreign = new Set<string>();
    const parts: JudgedPart[] = [];
    let leaves: Reason | undefined;
    for (const [i, command] of this.#reading.commands.entries()) {
      const entry = decidingEntry(words[i] ?? [], lists);
      const judged: Pick<SimpleVerdict, "verdict" | "reason">[] = [];
      for (const folder of command.folders ?? [""])
        judged.push(await this.#judgeIn(folder, command, entry, foreign.has(folder)));
      // It may move the following commands out of the project.
      const leaving: Reason | undefined =
        command.folders === undefined && !leaves
          ? reasonOf("many-folders")
          : await leavingReason(command, reads, foreign);
      leaves ??= leaving;
      if (leaving) judged.push({ verdict: "ask", reason: leaving });
      const decides = judged.find(({ verdict }) => verdict !== "allow") ?? judged.at(-1);
      const [start, end] = [command.words[0]?.start ?? 0, command.words.at(-1)?.end ?? 0];
      parts.push({ verdict: "ask", reason: reasonOf("empty"), ...decides, start, end });
    }
    return parts;
  }

  /** Judges one command in one folder. Without `reads`, only by its words. */
  async #judgeIn(
    folder: string,
    command: SimpleCommand,
    entry: EntryMatch | undefined,
    isForeign: boolean,
  ): Promise<Pick<SimpleVerdict, "verdict" | "reason">> {
    const { shell, reads } = this.#context;
    const byWords = judgeSimple(command, entry, this.#context);
    if (byWords.verdict !== "allow") return byWords;
    const [first, ...words] = command.words;
    const here = reads && readsIn(folder, reads);
    const shown = command.words.slice(0, 2).map(({ text }) => text);
    const refused =
      (byWords.changes && isForeign
        ? reasonOf("not-listed-in-folder", shown.join(" "), folder)
        : undefined) ??
      shadowedProgram(command, shell, reads) ??
      (here && (await refusedUses(byWords, here))) ??
      (here && (await anotherFile(byWords, folder, command, shell, here))) ??
      openPattern(first?.text.toLowerCase() ?? "", words, byWords.reads, shell);
    return refused === undefined ? byWords : { verdict: "ask", reason: refused };
  }
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
