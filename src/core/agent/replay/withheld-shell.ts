/** A shell that does not run the commands that a replay may not run. */
import { ToolError } from "../../errors.ts";
import type { Shell } from "../../ports/shell.ts";

export interface WithheldShell extends Shell {
  /** The next run of exactly this command does not happen. */
  withhold(command: string): void;
}

/** Everything else is what `shell` does. */
export function withheldShell(shell: Shell): WithheldShell {
  const withheld = new Set<string>();
  return {
    kind: shell.kind,
    path: shell.path,
    insteadOf: shell.insteadOf,
    ...(shell.interactive === undefined ? {} : { interactive: shell.interactive }),
    shadowingEntry: (program) => shell.shadowingEntry?.(program),
    withhold: (command) => void withheld.add(command),
    async run(command, options) {
      if (withheld.delete(command)) throw new ToolError("The command was not run, because this is a replay.");
      return shell.run(command, options);
    },
    terminals: () => shell.terminals(),
    readTerminal: (id, waitMs, signal) => shell.readTerminal(id, waitMs, signal),
    background: () => shell.background(),
    follow: (id, watcher) => shell.follow?.(id, watcher),
    end: (ids, how) => shell.end(ids, how),
    dispose: () => shell.dispose(),
  };
}
