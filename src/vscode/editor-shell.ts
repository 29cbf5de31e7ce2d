/** ports.Shell of the editor: refuses where the workspace is not trusted, and shows each command in a terminal. */
import { existsSync } from "node:fs";
import * as vscode from "vscode";
import { ToolError } from "../core/errors.ts";
import { DisposableStore } from "../core/lifecycle.ts";
import type { Shell } from "../core/ports.ts";
import { createShell } from "../node/shell.ts";
import { shellKind } from "../node/shell-program.ts";
import type { Settings } from "../shared/settings.ts";
import type { CommandTerminals } from "./command-terminals.ts";
import { IntegratedTerminals } from "./integrated-terminals.ts";
import { workspace } from "./workspace.ts";

export type TerminalMode = Settings["terminal"]["mode"];

export function createEditorShell(
  terminals: CommandTerminals,
  mode: () => TerminalMode = () => "nekode",
): Shell {
  const store = new DisposableStore();
  // The shell of the person's terminals, where its grammar is known and it is there: a setting can name anything.
  const own = vscode.env.shell;
  const shell = store.add(
    createShell({
      shell: shellKind(own) !== undefined && existsSync(own) ? own : undefined,
      watch: (command, cwd, control) => terminals.watch(command, cwd, control),
    }),
  );
  const integrated = store.add(new IntegratedTerminals(shell.path));
  let told = false;
  const tellFallback = () => {
    if (told) return;
    told = true;
    void vscode.window.showWarningMessage(
      vscode.l10n.t("Shell integration did not start, so the command runs in Nekode's own terminal."),
    );
  };
  return {
    kind: shell.kind,
    path: shell.path,
    get interactive() {
      return mode() === "shellIntegration";
    },
    async run(command, options) {
      if (!workspace.trusted) {
        throw new ToolError(
          "No commands run in a workspace that the person does not trust. They can trust it by the command 'Workspaces: Manage Workspace Trust'.",
        );
      }
      if (mode() === "shellIntegration" && integrated.takes(command)) {
        const end = await integrated.run(command, options);
        if (end) return end;
        tellFallback();
      }
      return shell.run(command, options);
    },
    terminals: () => [...shell.terminals(), ...integrated.terminals()],
    readTerminal: async (id, waitMs, signal) =>
      (await shell.readTerminal(id, waitMs, signal)) ?? integrated.readTerminal(id, waitMs, signal),
    dispose: () => store.dispose(),
  };
}
