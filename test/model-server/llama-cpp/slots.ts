/** The slots of llama.cpp's server: each has a window of its own, and keeps the prompt that it evaluated last. */
import { promptTokens } from "../usage.ts";

/** The part of a prompt that a slot must already have to be preferred: the server's default. */
const LEAST_SHARED = 0.1;

export interface Slot {
  readonly id: number;
  readonly isProcessing: boolean;
  /** Of its latest prompt, and how many of them it did not have to evaluate again. */
  readonly tokens: number;
  readonly cached: number;
  /** Ends the request, whose prompt stays. */
  release(): void;
}

class KeptPrompt implements Slot {
  pieces: readonly string[] = [];
  isProcessing = false;
  cached = 0;
  lastUsed = 0;

  constructor(
    readonly id: number,
    readonly released: () => void,
  ) {}

  get tokens(): number {
    return promptTokens(this.pieces);
  }

  /** Tokens of the beginning that it shares with a prompt. The last token of a prompt is always evaluated. */
  shared(pieces: readonly string[]): number {
    let count = 0;
    while (count < pieces.length && pieces[count] === this.pieces[count]) count += 1;
    return Math.min(promptTokens(pieces.slice(0, count)), promptTokens(pieces) - 1);
  }

  release(): void {
    if (!this.isProcessing) return;
    this.isProcessing = false;
    this.released();
  }
}

export class Slots {
  readonly #slots: readonly KeptPrompt[];
  #waiting: (() => void)[] = [];
  #uses = 0;

  constructor(count: number) {
    this.#slots = Array.from(
      { length: count },
      (_, id) => new KeptPrompt(id, () => this.#waiting.shift()?.()),
    );
  }

  get all(): readonly Slot[] {
    return this.#slots;
  }

  /** Waits until a slot is free, and takes the one that has most of the prompt, or that was not used for longest. */
  async begin(pieces: readonly string[], signal: AbortSignal): Promise<Slot> {
    let slot = this.#best(pieces);
    while (!slot) {
      await this.#freed(signal);
      slot = this.#best(pieces);
    }
    this.#uses += 1;
    slot.cached = slot.shared(pieces);
    slot.pieces = pieces;
    slot.lastUsed = this.#uses;
    slot.isProcessing = true;
    return slot;
  }

  #best(pieces: readonly string[]): KeptPrompt | undefined {
    const free = this.#slots.filter(({ isProcessing }) => !isProcessing);
    const [most] = [...free].sort((a, b) => b.shared(pieces) - a.shared(pieces));
    if (most && most.shared(pieces) > LEAST_SHARED * promptTokens(pieces)) return most;
    return free.sort((a, b) => a.lastUsed - b.lastUsed)[0];
  }

  #freed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const next = () => {
        signal.removeEventListener("abort", gone);
        resolve();
      };
      const gone = () => {
        this.#waiting = this.#waiting.filter((each) => each !== next);
        reject(signal.reason);
      };
      this.#waiting.push(next);
      signal.addEventListener("abort", gone);
    });
  }
}
