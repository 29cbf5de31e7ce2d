/** Parses the command line of `nekode worktree` into one validated object. */
import path from "node:path";
import { commandLine } from "../command-line.ts";
import { UsageError } from "../usage-error.ts";

export const WORKTREE_USAGE = `Usage: nekode worktree list [--json]
       nekode worktree diff NAME
       nekode worktree merge NAME [--message TEXT]
       nekode worktree keep NAME [--message TEXT] [--yes]
       nekode worktree discard NAME [--yes]
       nekode worktree open NAME

Reviews and ends the worktrees of tasks that were started with nekode --worktree, or in a worktree in VS Code. NAME is a
name from the list, a branch, or the ID of a session.

  list     list the worktrees of this repository, including those that remain after a crash
  diff     print all changes since the worktree was created, as a patch that git apply accepts
  merge    commit everything in the worktree, merge its branch into the one checked out here, and remove the worktree
  keep     commit everything in the worktree, and remove it; the branch stays
  discard  remove the worktree and its branch
  open     print the folder of the worktree

If there is a conflict, or a merge would overwrite a file of yours, nothing changes. The command lists what would be deleted
with a worktree. On a terminal, it then asks you; elsewhere, --yes is required.

  --message TEXT         message of the commit (default: the title of the task)
  --yes                  delete the listed items without asking
  --json                 list as JSON, one worktree per line
  --cwd DIR              project folder (default: current folder)
  --data-dir DIR         folder that stores the sessions (NEKODE_DATA_DIR)

Exit codes: 0 done, 1 error, 2 invalid usage, 4 something would be deleted, or there are conflicts: nothing was removed.
`;

const ACTIONS = ["diff", "merge", "keep", "discard", "open"] as const;

export interface WorktreeOptions {
  action: { kind: "help" } | { kind: "list" } | { kind: (typeof ACTIONS)[number]; name: string };
  message: string | undefined;
  yes: boolean;
  json: boolean;
  /** Absolute. */
  cwd: string;
  dataDir: string | undefined;
}

/** `args`: the arguments after `worktree`. Throws UsageError. */
export function readWorktreeOptions(args: readonly string[], cwd: string): WorktreeOptions {
  const { values, positionals } = commandLine(args, {
    message: { type: "string" },
    yes: { type: "boolean" },
    json: { type: "boolean" },
    cwd: { type: "string" },
    "data-dir": { type: "string" },
    help: { type: "boolean", short: "h" },
  });
  const dataDir = values["data-dir"];
  return {
    action: values.help ? { kind: "help" } : actionOf(positionals),
    message: values.message,
    yes: values.yes ?? false,
    json: values.json ?? false,
    cwd: path.resolve(cwd, values.cwd ?? ""),
    dataDir: dataDir === undefined ? undefined : path.resolve(cwd, dataDir),
  };
}

function actionOf([kind = "list", name, ...more]: readonly string[]): WorktreeOptions["action"] {
  if (more.length > 0) throw new UsageError("nekode worktree expects one action and one NAME");
  if (kind === "list") {
    if (name !== undefined) throw new UsageError("nekode worktree list expects no NAME");
    return { kind: "list" };
  }
  const known = ACTIONS.find((each) => each === kind);
  if (known === undefined)
    throw new UsageError(`nekode worktree expects list, ${ACTIONS.join(", ")}, not ${kind}`);
  if (name === undefined) throw new UsageError(`nekode worktree ${kind} expects the NAME of a worktree`);
  return { kind: known, name };
}
