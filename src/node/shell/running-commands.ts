/**
 * Commands that run, however they are run: each is waited for until it ends, is stopped or goes on in the background,
 * where it stays listed until its end was told. One list for a host, so that ids are unique in it.
 */
import type { CommandEnd, Shell, TerminalInfo } from "../../core/ports/shell.ts";
import { within } from "../clock.ts";
import type { CommandOutput } from "./command-output.ts";

export interface RunningCommand {
  readonly text: string;
  readonly output: CommandOutput;
  /** There is nothing more to wait for. Rejects when it could not be started. */
  readonly exited: Promise<void>;
  /** Nothing of it runs any more, and its output is complete. Never rejects. */
  readonly closed: Promise<void>;
  readonly isClosed: boolean;
  result(): CommandEnd;
  /** Ends it and all that it started; resolves when that is done. */
  end(): Promise<void>;
}

type Waiting = Pick<Parameters<Shell["run"]>[1], "timeoutMs" | "signal" | "goOn">;

export class RunningCommands {
  readonly #background = new Map<string, RunningCommand>();
  #lastId = 0;

  /** Resolves when `command` ended, or goes on in the background: after the timeout, or as soon as `goOn` aborts. */
  async attend(command: RunningCommand, { timeoutMs, signal, goOn }: Waiting): Promise<CommandEnd> {
    const onAbort = () => void command.end();
    signal.addEventListener("abort", onAbort, { once: true });
    let onGoOn = () => {};
    const sentAway = new Promise<"late">((resolve) => {
      onGoOn = () => resolve("late");
    });
    goOn?.addEventListener("abort", onGoOn, { once: true });
    if (signal.aborted) onAbort();
    if (goOn?.aborted) onGoOn();
    try {
      const first = await within(Promise.race([command.exited, sentAway]), timeoutMs);
      // Stop that came in the same moment ends it; nothing goes on in the background after a Stop.
      if (signal.aborted) await command.end();
      else if (first === "late" || !command.isClosed) {
        const backgroundId = String(++this.#lastId);
        this.#background.set(backgroundId, command);
        return { ...command.result(), backgroundId };
      }
      return command.result();
    } finally {
      // What still comes is not the caller's any more.
      command.output.keep();
      signal.removeEventListener("abort", onAbort);
      goOn?.removeEventListener("abort", onGoOn);
    }
  }

  /** Marks as told what each printed, and its end. */
  terminals(): TerminalInfo[] {
    return [...this.#background].map(([id, command]) => this.#tell(id, command));
  }

  /** undefined: there is none of that id. */
  async read(id: string, waitMs: number, signal: AbortSignal): Promise<TerminalInfo | undefined> {
    const command = this.#background.get(id);
    if (!command) return undefined;
    await command.output.news(command.isClosed ? 0 : waitMs, signal, command.closed);
    return this.#tell(id, command);
  }

  /** Those that still run; marks nothing as told. */
  background(): { id: string; command: string }[] {
    return [...this.#background]
      .filter(([, command]) => !command.isClosed)
      .map(([id, command]) => ({ id, command: command.text }));
  }

  /** Ends those of these ids, where they still run; resolves when nothing of them is left. */
  async end(ids: readonly string[]): Promise<void> {
    await Promise.all(ids.map((id) => this.#background.get(id)?.end()));
  }

  #tell(id: string, command: RunningCommand): TerminalInfo {
    // Its end is told once.
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
