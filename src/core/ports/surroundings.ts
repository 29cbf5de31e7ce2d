/** The port that reports what the user sees and does, for the environment details. */

/** Paths are relative to the workspace, with `/` separators. */
export interface Surroundings {
  /** "Visual Studio Code" or "Terminal". */
  readonly hostName: string;
  visibleFiles(): string[];
  openTabs(): string[];
  /** Files that the user changed since the last call. */
  recentlyModified(): string[];
  /** Command-line tools installed on the machine. */
  cliTools(): Promise<string[]>;
  /** Problems that the language servers report for the workspace, one per line, worst first, bounded. */
  problems?(): string[];
  /** The user's own terminals, oldest first, without their output. */
  userTerminals?(): UserTerminal[];
  /** Output of the user's active terminal, newest last, bounded; "" if there is none. */
  terminalOutput?(signal: AbortSignal): Promise<string>;
}

/** A terminal that the user opened. */
export interface UserTerminal {
  name: string;
  /** A command is running in it. */
  running: boolean;
  /** The running or last command; absent if the shell does not report commands. */
  command?: string;
  /** Of the last command; absent if the shell does not report it. */
  exitCode?: number;
  /** How long the command has been running. */
  durationMs?: number;
}
