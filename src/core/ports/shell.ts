/** The port to the user's shell: runs commands, including those that continue in the background. */

import type { SandboxState } from "../../shared/sandbox-state.ts";
import type { SandboxUse } from "./sandbox.ts";

export interface CommandEnd {
  exitCode: number | null;
  signal: string | null;
  durationMs: number;
  /** Set if the command was ended because the user pressed Stop, or Ctrl+C twice in its terminal. */
  stoppedByUser?: boolean;
  /** Set if the command continues in the background: its id there. */
  backgroundId?: string;
  /**
   * For a command in the sandbox: files and folders of the project that take effect by themselves and have come into being since it
   * started, absolute. Absent: none.
   */
  made?: readonly string[];
}

export interface TerminalInfo {
  id: string;
  command: string;
  running: boolean;
  /** How long the command has run, or ran. */
  durationMs: number;
  /** Output since the last read; reading it here marks it as reported. */
  newOutput: string;
  exitCode?: number | null;
}

export interface BackgroundWatcher {
  output(text: string): void;
  ended(end: CommandEnd): void;
}

/** The grammars in which commands are written. */
export type ShellKind = "bash" | "zsh" | "sh" | "fish" | "powershell" | "cmd";

export interface Shell {
  /** Determines the grammar by which commands are judged. */
  readonly kind: ShellKind;
  /** As reported to the model, for example `/bin/bash`. */
  readonly path: string;
  /**
   * The user's own shell if this is a different one, and why it is not used: it does not exist, its grammar is unknown,
   * or it is inside the project.
   */
  readonly insteadOf?: { path: string; why: "missing" | "unknown" | "in-project" } | undefined;
  /** Commands are typed into a shell that expands history (`!x`), and are judged accordingly. */
  readonly interactive?: boolean;
  /**
   * Returns the PATH entry through which the project determines what this program is, in the shell that runs the
   * commands; undefined if there is none.
   */
  shadowingEntry?(program: string): string | undefined;
  /**
   * Runs exactly `command`. Output arrives as text, in order, with control sequences. The command moves to the
   * background after `timeoutMs` (Infinity: never) or as soon as `moveToBackground` aborts.
   */
  run(
    command: string,
    options: {
      cwd: string;
      timeoutMs: number;
      signal: AbortSignal;
      moveToBackground?: AbortSignal;
      /** Runs it in the sandbox; rejects where there is none, or where it cannot protect the project. Absent: as the user would. */
      sandbox?: SandboxUse;
      /** The session and the call that run it: finds the terminal that shows it. */
      call?: string;
      onOutput(text: string): void;
      /**
       * The command seems to wait for what the user types, where they can; false: no longer. `isHidden`: for a secret, or for what its
       * terminal hides. Also called after `run` resolved with a command in the background.
       */
      onWaits?(waits: boolean, isHidden: boolean): void;
    },
  ): Promise<CommandEnd>;
  /** Whether commands of a project with these folders can run in a sandbox. Absent: this shell has none. */
  sandbox?(roots: readonly string[]): Promise<SandboxState>;
  /** Returns running terminals, and ended ones whose output has not been fully reported. */
  terminals(): TerminalInfo[];
  /**
   * Returns what a background command printed since the last read; undefined if the id is unknown. Waits up to `waitMs`
   * for new output or the command's end. Rejects with Interrupt when `signal` aborts.
   */
  readTerminal(id: string, waitMs: number, signal: AbortSignal): Promise<TerminalInfo | undefined>;
  /** Lists the commands that are still running in the background; marks nothing as reported. */
  background(): { id: string; command: string }[];
  /**
   * Passes on the further output of a background command, with control sequences, and then its end; marks nothing as reported.
   * Does nothing if the id is unknown.
   */
  follow?(id: string, watcher: BackgroundWatcher): void;
  /** Ends those of the given commands that are still running; resolves when all of their processes are gone. */
  end(ids: readonly string[], how?: { byUser: boolean }): Promise<void>;
  /** Ends everything that is still running. */
  dispose(): void;
}
