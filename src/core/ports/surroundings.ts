/** The port that reports what the user sees and does, for the environment details. */

/** Paths are relative to the workspace, with `/` separators. */
export interface Surroundings {
  /** "Visual Studio Code" or "Terminal". */
  readonly hostName: string;
  visibleFiles(): string[];
  openTabs(): string[];
  /** False: the user does not want messages to name the visible files and the tabs. Absent: they name them. */
  namesOpenFiles?(): boolean;
  /** The file that the user looks at, if it is in the workspace and not ignored. */
  currentFile?(): Promise<{ path: string; lines?: { start: number; end: number } | undefined } | undefined>;
  /** Files that the user changed since the last call. */
  recentlyModified(): string[];
  /** Command-line tools installed on the machine. */
  cliTools(): Promise<string[]>;
  /** Problems that the language servers report for the workspace, one per line, worst first, bounded. */
  problems?(): string[];
  /** What the user has selected in the editor used last: whole lines. undefined: nothing, or the text is not a file. */
  selection?(): FileSelection | undefined;
  /**
   * The symbols of the file at this absolute path, as the language's outline has them; undefined: it has no outline. A name
   * contains those of its containers: `Class.method`.
   */
  symbols?(path: string, signal: AbortSignal): Promise<SymbolRange[] | undefined>;
  /** Symbols of the whole workspace that match `query`, best first. `starts`: starts the language servers and waits for them. */
  findSymbols?(
    query: string,
    signal: AbortSignal,
    options?: { starts: boolean },
  ): Promise<(SymbolRange & { path: string })[]>;
  /** The user's own terminals, oldest first, without their output. */
  userTerminals?(): UserTerminal[];
  /** Output of the user's active terminal, newest last, bounded; "" if there is none. */
  terminalOutput?(signal: AbortSignal): Promise<string>;
}

/** Lines are 1-based and inclusive; the path is relative to the workspace, with `/`. */
export interface FileSelection {
  path: string;
  start: number;
  end: number;
}

/** Lines are 1-based and inclusive. */
export interface SymbolRange {
  name: string;
  start: number;
  end: number;
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
