/** Determines what git's subcommands destroy in the working tree. */
import type { Word } from "../shells/shell-words.ts";
import { operandsOf } from "./operands.ts";
import type { TargetRecorder } from "./target-list.ts";

const GLOBALS_WITH_VALUE = /^(?:-C|-c|--(?:git-dir|work-tree|namespace|exec-path|super-prefix|config-env))$/;
const OTHER_FOLDER = /^(?:-C|--(?:git-dir|work-tree))/;

/**
 * Subcommands that restore, apply or replace files of the whole working tree, and leave installed dependencies alone.
 */
const REWRITING =
  /^(?:apply|am|read-tree|checkout-index|sparse-checkout|filter-branch|submodule|bisect|lfs)$/;

/** Returns where the subcommand is. `words`: without `git` itself. */
export function subcommandAt(words: readonly Word[]): number {
  let at = 0;
  while (words[at]?.text.startsWith("-")) at += GLOBALS_WITH_VALUE.test(words[at]?.text ?? "") ? 2 : 1;
  return at;
}

/** `words` without `git` itself. */
export function gitDestroys(words: readonly Word[], hits: TargetRecorder): void {
  const at = subcommandAt(words);
  const isElsewhere = words.slice(0, at).some(({ text }) => OTHER_FOLDER.test(text));
  verbDestroys(words[at]?.text ?? "", words.slice(at + 1), isElsewhere ? hits.uncertain() : hits);
}

function verbDestroys(verb: string, rest: readonly Word[], hits: TargetRecorder): void {
  const has = (pattern: RegExp): boolean => rest.some(({ text }) => pattern.test(text));
  const operands = operandsOf(rest);
  const light = (): void => {
    hits.git();
    hits.everything(true);
  };
  switch (verb) {
    case "clean":
      if (has(/^(?:-[a-zA-Z]*n[a-zA-Z]*|--dry-run)$/)) return;
      hits.git();
      if (operands.length === 0 || has(/^(?:-[a-zA-Z]*e|--exclude)/)) hits.here();
      else hits.paths(operands);
      return;
    case "reset":
      if (has(/^--(?:hard|merge|keep)$/)) light();
      return;
    case "restore":
      if (!has(/^(?:--staged|-[a-zA-Z]*S)/) || has(/^(?:--worktree|-[a-zA-Z]*W)/)) light();
      return;
    case "checkout":
    case "switch":
      // A new branch that begins here changes no file.
      if (!has(/^(?:-b|-B|-c|-C|--orphan|--create)$/) || rest.length !== 2) light();
      return;
    case "stash":
      if (!/^(?:push|save|pop|apply|branch)$/.test(operands[0]?.text ?? "push")) return;
      hits.git();
      hits.everything(!has(/^(?:-[a-zA-Z]*a[a-zA-Z]*|--all)$/));
      return;
    case "merge":
    case "rebase":
    case "cherry-pick":
    case "revert":
      if (has(/^--(?:abort|quit|skip)$/)) light();
      return;
    case "rm":
    case "mv": {
      if (has(/^(?:--cached|-n|--dry-run)$/)) return;
      hits.git();
      const destination = verb === "mv" ? operands.at(-1) : undefined;
      const sources = destination ? operands.slice(0, -1) : operands;
      hits.paths(sources);
      if (destination) hits.receive(destination, sources);
      return;
    }
    case "worktree":
      if (rest[0]?.text !== "remove") return;
      hits.git();
      hits.paths(operands.slice(1));
      return;
    case "archive":
      if (has(/^(?:-[a-zA-Z]*o|--output)/)) hits.everything();
      return;
    default:
      if (REWRITING.test(verb)) light();
  }
}
