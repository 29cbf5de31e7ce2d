/** Determines what git's subcommands destroy in the working tree. */

import { only, splitArguments } from "./split-arguments.ts";
import type { TargetRecorder } from "./target-list.ts";
import type { Values } from "./value.ts";

const GLOBAL_OPTIONS = new Set([
  ...["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix", "--config-env"],
]);

/**
 * Subcommands that restore, apply or replace files of the whole working tree, and leave installed dependencies alone.
 */
const rewriting = new Set([
  ..."apply am read-tree checkout-index sparse-checkout filter-branch submodule bisect lfs".split(" "),
]);

/** Returns where the subcommand is, and the record for the folder that `-C` names. */
function afterGlobals(words: readonly Values[], outer: TargetRecorder): { hits: TargetRecorder; at: number } {
  let hits = outer;
  let at = 0;
  for (; at < words.length; at++) {
    const text = only(words[at]);
    if (text === "-C") hits = hits.inFolder(words[++at]);
    else if (text !== undefined && GLOBAL_OPTIONS.has(text)) at++;
    else if (!text?.startsWith("-")) break;
  }
  return { hits, at };
}

/** `words` without `git` itself. */
export function gitDestroys(words: readonly Values[], outer: TargetRecorder): void {
  const { hits, at } = afterGlobals(words, outer);
  const verb = only(words[at]);
  const rest = words.slice(at + 1);
  const texts = rest.map((word) => only(word) ?? "");
  const has = (pattern: RegExp): boolean => texts.some((text) => pattern.test(text));
  const light = (): void => {
    hits.git();
    hits.everything(true);
  };
  switch (verb) {
    case "clean": {
      if (has(/^(?:-[a-zA-Z]*n[a-zA-Z]*|--dry-run)$/)) return;
      hits.git();
      const { operands } = splitArguments(rest, "-e --exclude");
      if (operands.length > 0) hits.paths(operands);
      else hits.here();
      return;
    }
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
    case "stash": {
      const action = texts.find((text) => !text.startsWith("-")) ?? "push";
      if (!/^(?:push|save|pop|apply|branch)$/.test(action)) return;
      hits.git();
      hits.everything(!has(/^(?:-[a-zA-Z]*a[a-zA-Z]*|--all)$/));
      return;
    }
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
      const { operands } = splitArguments(rest);
      hits.paths(verb === "rm" ? operands : operands.slice(0, -1));
      if (verb === "mv") hits.receive(operands.at(-1), operands.slice(0, -1));
      return;
    }
    case "worktree":
      if (texts[0] !== "remove") return;
      hits.git();
      hits.paths(splitArguments(rest.slice(1)).operands);
      return;
    case "archive": {
      const { values } = splitArguments(rest, "-o --output");
      hits.paths([...values.values()]);
      return;
    }
    default:
      if (verb !== undefined && rewriting.has(verb)) light();
  }
}
