/** What the user sees and does, for the environment details. */

/** Facts about where the person works, for the environment details. Paths relative to the workspace, with `/`. */
export interface Surroundings {
  /** "Visual Studio Code" or "Terminal". */
  readonly hostName: string;
  visibleFiles(): string[];
  openTabs(): string[];
  /** Files changed by the person since last asked. */
  recentlyModified(): string[];
  /** Command-line tools found on the machine. */
  cliTools(): Promise<string[]>;
  /** What the language servers report over the workspace, one a line, worst first, bounded. */
  problems?(): string[];
  /** The user's own terminals, oldest first: without what they printed. */
  userTerminals?(): UserTerminal[];
  /** What the person's active terminal shows, newest last, bounded; "" where there is none. */
  terminalOutput?(signal: AbortSignal): Promise<string>;
}

/** A terminal that the user opened. */
export interface UserTerminal {
  name: string;
  /** A command runs in it. */
  running: boolean;
  /** The one that runs, or ran last; absent where the shell does not tell of its commands. */
  command?: string;
  /** Of the last command; absent where the shell does not tell it. */
  exitCode?: number;
  /** For how long the command has run. */
  durationMs?: number;
}
