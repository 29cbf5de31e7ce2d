/**
 * The `Shell` port in VS Code: refuses commands if the workspace is not trusted, and shows each command in a
 * terminal.
 */
import * as vscode from "vscode";
import { ToolError } from "../../core/errors.ts";
import { DisposableStore } from "../../core/lifecycle.ts";
import type { Sandbox } from "../../node/sandbox/command-sandbox.ts";
import { createShell, type HostShell } from "../../node/shell/process-shell.ts";
import { RunningCommands } from "../../node/shell/running-commands.ts";
import type { Settings } from "../../shared/settings.ts";
import { otherShellText, translator } from "../../shared/words/task-words.ts";
import { workspace } from "../files/workspace-folders.ts";
import type { CommandTerminals } from "./command-terminals.ts";
import { defaultShell } from "./default-shell.ts";
import { IntegratedTerminals } from "./integrated-terminals.ts";

type TerminalMode = Settings["terminal"]["mode"];

export interface EditorShellOptions {
  mode?: () => TerminalMode;
  /** Path of the user's shell; default: the one that VS Code's settings name. */
  own?: string;
  /** Further folders from which no program is taken; read at each call. */
  folders?: readonly string[];
  sandbox?: Sandbox | undefined;
  /** Multiplies the timeouts of shell integration; default 1. Tests on slow machines raise it. */
  timeoutFactor?: number;
}

export type EditorShell = HostShell & {
  /** Brings the terminal of a call's command to the front. False: there is none. `call`: as in `Shell.run`. */
  showTerminal(call: string): boolean;
  /** Types a line for a call's command. False: there is no such command, or it takes no input. */
  answer(call: string, line: string): boolean;
};

function configuredShell(): string | undefined {
  const configuration = vscode.workspace.getConfiguration("terminal.integrated");
  return defaultShell({
    inspect: (key) => configuration.inspect(key),
    editorShell: vscode.env.shell,
    environment: process.env,
  });
}

export function createEditorShell(
  terminals: CommandTerminals,
  options: EditorShellOptions = {},
): EditorShell {
  const {
    mode = () => "nekode",
    own = configuredShell(),
    timeoutFactor = 1,
    folders = [],
    sandbox,
  } = options;
  const store = new DisposableStore();
  const commands = new RunningCommands();
  const shell = store.add(
    createShell({
      own,
      roots: () => [...workspace.roots.map((root) => root.path), ...folders],
      commands,
      sandbox,
      watch: (started, control) => terminals.watch(started, control),
    }),
  );
  const integrated = store.add(new IntegratedTerminals(shell.path, commands, timeoutFactor));
  let warnedOfFallback = false;
  let warnedOfOtherShell = false;
  const warnOfOtherShell = () => {
    const { insteadOf } = shell;
    if (warnedOfOtherShell || insteadOf === undefined) return;
    warnedOfOtherShell = true;
    const t = translator(vscode.l10n.bundle ?? {});
    void vscode.window.showWarningMessage(otherShellText(t, insteadOf.path, insteadOf.why, shell.path));
  };
  const warnOfFallback = () => {
    if (warnedOfFallback) return;
    warnedOfFallback = true;
    void vscode.window.showWarningMessage(
      vscode.l10n.t("Shell integration is not available, so commands run in Nekode's own terminal."),
    );
  };
  return {
    kind: shell.kind,
    path: shell.path,
    insteadOf: shell.insteadOf,
    get interactive() {
      return mode() === "shellIntegration";
    },
    shadowingEntry: (program) => shell.shadowingEntry?.(program),
    async run(command, options) {
      if (!workspace.trusted) {
        throw new ToolError(
          "No commands run in a workspace that the user does not trust. They can trust it by the command 'Workspaces: Manage Workspace Trust'.",
        );
      }
      warnOfOtherShell();
      // The editor's own terminals are not in the sandbox.
      if (options.sandbox === undefined && mode() === "shellIntegration" && integrated.canType(command)) {
        const end = await integrated.run(command, options);
        if (end) return end;
        warnOfFallback();
      }
      return shell.run(command, options);
    },
    sandbox: (roots) => shell.sandbox(roots),
    terminals: () => commands.terminals(),
    readTerminal: (id, waitMs, signal) => commands.read(id, waitMs, signal),
    background: () => commands.background(),
    follow: (id, watcher) => commands.follow(id, watcher),
    end: (ids, how) => commands.end(ids, how),
    showTerminal: (call) => terminals.show(call) || integrated.show(call),
    answer: (call, line) => terminals.answer(call, line) || integrated.answer(call, line),
    dispose: () => store.dispose(),
  };
}
