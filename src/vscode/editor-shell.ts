/** ports.Shell of the editor: refuses where the workspace is not trusted, and shows each command in a terminal. */
import { existsSync } from "node:fs";
import * as vscode from "vscode";
import { ToolError } from "../core/errors.ts";
import type { Shell } from "../core/ports.ts";
import { createShell } from "../node/shell.ts";
import { shellKind } from "../node/shell-program.ts";
import type { CommandTerminals } from "./command-terminals.ts";
import { workspace } from "./workspace.ts";

export function createEditorShell(terminals: CommandTerminals): Shell {
  // The shell of the person's terminals, where its grammar is known and it is there: a setting can name anything.
  const own = vscode.env.shell;
  const shell = createShell({
    shell: shellKind(own) !== undefined && existsSync(own) ? own : undefined,
    watch: (command, cwd, control) => terminals.watch(command, cwd, control),
  });
  return {
    kind: shell.kind,
    path: shell.path,
    async run(command, options) {
      if (!workspace.trusted) {
        throw new ToolError(
          "No commands run in a workspace that the person does not trust. They can trust it by the command 'Workspaces: Manage Workspace Trust'.",
        );
      }
      return shell.run(command, options);
    },
    terminals: () => shell.terminals(),
    readTerminal: (id, waitMs, signal) => shell.readTerminal(id, waitMs, signal),
    dispose: () => shell.dispose(),
  };
}
