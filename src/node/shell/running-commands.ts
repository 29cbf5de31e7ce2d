/**
 * Running commands, however they are started. The caller waits for a command until it ends, is stopped or moves to
 * the background, where it stays listed until its end is reported. A host has one list, so that ids are unique.
 */
import { isStoppedByUser } from "../../core/errors.ts";
import type { BackgroundWatcher, CommandEnd, Shell, TerminalInfo } from "../../core/ports/shell.ts";
import { within } from "../clock.ts";
import type { CommandOutput } from "./command-output.ts";

export interface RunningCommand {
  readonly text: string;
  readonly output: CommandOutput;
  /** Resolves when there is nothing more to wait for. Rejects if the command could not start. */
  readonly exited: Promise<void>;
  /** Resolves when no process of the command runs and its output is complete. Never rejects. */
  readonly closed: Promise<void>;
  readonly isClosed: boolean;
  result(): CommandEnd;
  /**
   * Ends the command and everything that it started; resolves when that is done. Only the first call's `how` counts.
   */
  end(how?: { byUser: boolean }): Promise<void>;
}

type WaitLimits = Pick<Parameters<Shell["run"]>[1], "timeoutMs" | "signal" | "moveToBackground">;

export class RunningCommands {
  readonly #background = new Map<string, RunningCommand>();
  #lastId = 0;

  /**
   * Resolves when `command` ends or moves to the background: after the timeout, or when `moveToBackground` aborts.
   */
  async attend(
    command: RunningCommand,
    { timeoutMs, signal, moveToBackground }: WaitLimits,
  ): Promise<CommandEnd> {
    const onAbort = () => void command.end({ byUser: isStoppedByUser(signal) });
    signal.addEventListener("abort", onAbort, { once: true });
    let onMove = () => {};
    const moved = new Promise<"late">((resolve) => {
      onMove = () => resolve("late");
    });
    moveToBackground?.addEventListener("abort", onMove, { once: true });
    if (signal.aborted) onAbort();
    if (moveToBackground?.aborted) onMove();
    try {
      const first = await within(Promise.race([command.exited, moved]), timeoutMs);
      // A simultaneous Stop ends the command; nothing moves to the background after a Stop.
      if (signal.aborted) await command.end();
      else if (first === "late" || !command.isClosed) {
        const backgroundId = String(++this.#lastId);
        this.#background.set(backgroundId, command);
        return { ...command.result(), backgroundId };
      }
      return command.result();
    } finally {
      // Later output no longer goes to the caller.
      command.output.keep();
      signal.removeEventListener("abort", onAbort);
      moveToBackground?.removeEventListener("abort", onMove);
    }
  }

  /** The background commands. Marks their output and their end as reported. */
  terminals(): TerminalInfo[] {
    return [...this.#background].map(([id, command]) => this.#report(id, command));
  }

  /** undefined: no command has that id. */
  async read(id: string, waitMs: number, signal: AbortSignal): Promise<TerminalInfo | undefined> {
    const command = this.#background.get(id);
    if (!command) return undefined;
    await command.output.news(command.isClosed ? 0 : waitMs, signal, command.closed);
    return this.#report(id, command);
  }

  /** The background commands that still run. Marks nothing as reported. */
  background(): { id: string; command: string }[] {
    return [...this.#background]
      .filter(([, command]) => !command.isClosed)
      .map(([id, command]) => ({ id, command: command.text }));
  }

  /** Passes on what the command prints from now on, and its end. */
  follow(id: string, { output, ended }: BackgroundWatcher): void {
    const command = this.#background.get(id);
    if (!command) return;
    command.output.watch(output);
    void command.closed.then(() => ended(command.result()));
  }

  /** Ends the commands with these ids that still run; resolves when none of their processes is left. */
  async end(ids: readonly string[], how?: { byUser: boolean }): Promise<void> {
    await Promise.all(ids.map((id) => this.#background.get(id)?.end(how)));
  }

  #report(id: string, command: RunningCommand): TerminalInfo {
    // The end is reported once.
    if (command.isClosed) this.#background.delete(id);
    const { exitCode, durationMs } = command.result();
    return {
      id,
      command: command.text,
      running: !command.isClosed,
      durationMs,
      newOutput: command.output.take(),
      ...(command.isClosed ? { exitCode } : {}),
    };
  }
}
