/** Commands in the background: which commands can be moved there, which run there, and how the others ended. */
import type { BackgroundCommand } from "../../../shared/view/background-command.ts";
import { type Disposable, Emitter } from "../../lifecycle.ts";
import type { Shell } from "../../ports/shell.ts";
import type { Clock } from "../../ports/system.ts";

/** Ended commands that are remembered, for their rows. */
const MAX_ENDED = 100;
/** Milliseconds for which output is collected, because each event replaces the whole row of a finished step. */
const OUTPUT_FRAME_MS = 250;

export interface BackgroundDeps {
  shell: Pick<Shell, "follow" | "end">;
  clock: Pick<Clock, "now" | "after">;
}

/** The call whose command continues. */
export interface BackgroundCall {
  id: string;
  callId: string;
  session: string;
  command: string;
  durationMs: number;
  /** Removes keys from its further output. */
  masked(send: (text: string) => void): { push(text: string): void; end(): void };
}

export interface BackgroundOutput {
  session: string;
  callId: string;
  text: string;
}

/** The commands that were moved. One list for all sessions. */
export class BackgroundCommands implements Disposable {
  readonly #deps: BackgroundDeps;
  readonly #changed = new Emitter<void>();
  readonly #output = new Emitter<BackgroundOutput>();
  #all: readonly BackgroundCommand[] = [];

  readonly onChange = this.#changed.on;
  /** Further output, for the call's row. */
  readonly onOutput = this.#output.on;

  constructor(deps: BackgroundDeps) {
    this.#deps = deps;
  }

  /** In the order in which they moved to the background. */
  get all(): readonly BackgroundCommand[] {
    return this.#all;
  }

  follow({ id, callId, session, command, durationMs, masked }: BackgroundCall): void {
    const { shell, clock } = this.#deps;
    const startedAt = new Date(clock.now().getTime() - durationMs).toISOString();
    const framed = frames(clock, (text) => this.#output.emit({ session, callId, text }));
    const output = masked((text) => framed.push(text));
    this.#set([...this.#all, { id, callId, session, command, startedAt }]);
    shell.follow?.(id, {
      output: (text) => output.push(text),
      ended: (end) => {
        output.end();
        framed.flush();
        const { exitCode, stoppedByUser } = end;
        const ended = { exitCode, durationMs: end.durationMs, ...(stoppedByUser ? { stoppedByUser } : {}) };
        this.#set(this.#all.map((each) => (each.id === id ? endedAs(each, ended) : each)));
      },
    });
  }

  /** The command of a call waits for what the user types, or no longer does; see `Shell.run`. */
  waits(
    { session, callId }: Pick<BackgroundCall, "session" | "callId">,
    waits: boolean,
    isHidden: boolean,
  ): void {
    const isIt = (each: BackgroundCommand) => each.session === session && each.callId === callId;
    if (!this.#all.some((each) => isIt(each) && !each.ended)) return;
    this.#set(
      this.#all.map((each) => {
        const { waits: _, hidden: __, ...rest } = each;
        if (!isIt(each)) return each;
        return { ...rest, ...(waits ? { waits } : {}), ...(isHidden ? { hidden: true } : {}) };
      }),
    );
  }

  /** Ends a command because the user wants it; resolves when none of its processes runs any more. */
  end(id: string): Promise<void> {
    return this.#deps.shell.end([id], { byUser: true });
  }

  dispose(): void {
    this.#changed.dispose();
    this.#output.dispose();
  }

  #set(all: readonly BackgroundCommand[]): void {
    const excess = all.filter(({ ended }) => ended).length - MAX_ENDED;
    let dropped = 0;
    this.#all = excess <= 0 ? all : all.filter(({ ended }) => !ended || ++dropped > excess);
    this.#changed.emit();
  }
}

/** A session's calls that run in the foreground and whose command the user can move to the background. */
export class ForegroundCalls {
  readonly #calls = new Map<string, AbortController>();

  /** Returns a signal that aborts when the user moves the call's command to the background. */
  begin(callId: string): AbortSignal {
    const controller = new AbortController();
    this.#calls.set(callId, controller);
    return controller.signal;
  }

  end(callId: string): void {
    this.#calls.delete(callId);
  }

  /** Moves the commands of all running calls. */
  moveAllToBackground(): void {
    for (const call of this.#calls.values()) call.abort();
  }

  /** Returns false if the call is not running. */
  moveToBackground(callId: string): boolean {
    const call = this.#calls.get(callId);
    call?.abort();
    return call !== undefined;
  }
}

function endedAs(
  { waits: _, hidden: __, ...command }: BackgroundCommand,
  ended: NonNullable<BackgroundCommand["ended"]>,
): BackgroundCommand {
  return { ...command, ended };
}

/** Collects text, and sends it at most every `OUTPUT_FRAME_MS`. */
function frames(clock: Pick<Clock, "after">, send: (text: string) => void) {
  let text = "";
  let timer: Disposable | undefined;
  const flush = () => {
    timer?.dispose();
    timer = undefined;
    const whole = text;
    text = "";
    if (whole !== "") send(whole);
  };
  return {
    push(more: string) {
      text += more;
      timer ??= clock.after(OUTPUT_FRAME_MS, flush);
    },
    flush,
  };
}
