/** The port to the person's shell: running commands, and those that go on in the background. */

/** How one command ended. */
export interface CommandEnd {
  exitCode: number | null;
  signal: string | null;
  durationMs: number;
  /** It goes on in the background under this id. */
  backgroundId?: string;
}

export interface TerminalInfo {
  id: string;
  command: string;
  running: boolean;
  /** For how long it has run, or ran. */
  durationMs: number;
  /** Output since it was last asked for; reading it here marks it as told. */
  newOutput: string;
  exitCode?: number | null;
}

export interface Shell {
  /** The kind decides the grammar by which commands are judged. */
  readonly kind: "bash" | "zsh" | "sh" | "fish" | "powershell" | "cmd";
  /** As named to the model, e.g. `/bin/bash`. */
  readonly path: string;
  /** The user's own shell, when it is not this one: it is not there, its grammar is not known, or a project has it. */
  readonly insteadOf?: { path: string; why: "missing" | "unknown" | "in-project" } | undefined;
  /** Commands are typed into a shell that expands history (`!x`), and are judged so. */
  readonly interactive?: boolean;
  /**
   * The entry of PATH from which a project decides what this program is, in the shell that runs the commands; undefined:
   * there is none.
   */
  shadowingEntry?(program: string): string | undefined;
  /**
   * Runs exactly `command`; output arrives as text in order, control sequences included. It goes on in the background
   * after `timeoutMs` (Infinity: never), or as soon as `goOn` aborts.
   */
  run(
    command: string,
    options: {
      cwd: string;
      timeoutMs: number;
      signal: AbortSignal;
      goOn?: AbortSignal;
      onOutput(text: string): void;
    },
  ): Promise<CommandEnd>;
  /** Terminals with something to tell: running ones, and ended ones with output not yet told. */
  terminals(): TerminalInfo[];
  /**
   * What a background command printed since last asked; undefined: there is none of that id. Waits up to `waitMs` for
   * something new or its end. Rejects with Interrupt when `signal` aborts.
   */
  readTerminal(id: string, waitMs: number, signal: AbortSignal): Promise<TerminalInfo | undefined>;
  /** What still runs in the background; marks nothing as told. */
  background(): { id: string; command: string }[];
  /** Ends what still runs of these; resolves when nothing of it is left. */
  end(ids: readonly string[]): Promise<void>;
  /** Ends all that still runs. */
  dispose(): void;
}
