/** Parses git's answers to questions: commits with their parents, and names. */
import { COMMIT_MARK, type CommitQuestion } from "./git-output-tables.ts";

/** Lines for the standard input of `git diff-tree`, and the form in which their commits are compared. */
export interface CommitComparison {
  lines: string[];
  form: string[];
}

const COMMIT = new RegExp(`${COMMIT_MARK}([0-9a-f]+) ([0-9a-f]+) ?([0-9a-f ]*)$`);
/** What `--graph` draws before a commit and between commits. */
const DRAWN = /^[-*|/\\_.<>= ]*$/;
const EMPTY_TREES: Readonly<Record<number, string>> = {
  40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
};

/**
 * Returns the commits in an answer to a CommitQuestion, as comparisons that list every file that their patches may
 * show. With `strict`, undefined if the answer contains anything else.
 */
export function commitsOf(
  answer: string,
  strict: boolean,
): ((merges: CommitQuestion["merges"]) => CommitComparison[]) | undefined {
  const commits: { id: string; tree: string; parents: string[] }[] = [];
  for (const line of answer.split("\n")) {
    const [, id, tree, parents = ""] = COMMIT.exec(line) ?? [];
    if (id !== undefined && tree !== undefined)
      commits.push({ id, tree, parents: parents.split(" ").filter((parent) => parent !== "") });
    // The graph may contain colors.
    else if (strict && !DRAWN.test(line.replaceAll(COLOR, ""))) return undefined;
  }
  return (merges) => {
    const single: string[] = [];
    const merged: string[] = [];
    for (const { id, tree, parents } of commits) {
      // Parents after commits were left out: the patch is the difference from these.
      if (parents.length === 0) single.push(`${EMPTY_TREES[tree.length] ?? id} ${tree}`);
      if (parents.length === 1) single.push([id, ...parents].join(" "));
      if (parents.length > 1) merged.push([id, ...parents].join(" "));
      if (merges === "all") single.push(id);
    }
    const everything = { lines: single, form: ["-m"] };
    if (merges === "none") return [everything];
    if (merges === "all") return [everything, { lines: merged, form: ["-m"] }];
    return [
      everything,
      { lines: merged, form: ["-c"] },
      // A removed file may have become another file, in which its content is shown.
      { lines: merged, form: ["-m", "--diff-filter=D"] },
    ];
  };
}

const COLOR = /\u001b\[[0-9;]*m/g;

/** Parses `-z` output; two compared trees precede their first name. */
export function namesIn(answer: string): string[] {
  return answer
    .split("\0")
    .map((name) => name.replace(/^(?:[0-9a-f]{40,64} [0-9a-f]{40,64}\n)+/, ""))
    .filter((name) => name !== "");
}
