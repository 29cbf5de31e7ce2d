/** A process that creates a worktree. Arguments: project, folder of worktrees, title. */
import { createWorktrees } from "../../../src/node/git/worktrees/node-worktrees.ts";
import { createShell } from "../../../src/node/shell/process-shell.ts";

const [folder = "", worktreesDir = "", title = ""] = process.argv.slice(2);
const worktrees = createWorktrees({
  worktreesDir,
  environment: process.env,
  roots: () => [folder],
  shell: createShell(),
  log: { info: () => undefined, error: () => undefined },
});
void worktrees
  .create({ folder, title, setup: "echo ready > prepared.txt" }, new AbortController().signal)
  .then(({ worktree }) => process.stdout.write(JSON.stringify(worktree)));
