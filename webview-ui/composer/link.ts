import type { Attachment } from "../host.ts";

/** Lets the rest of the panel reach the composer, whether it is on the page yet or not. */
export interface ComposerHandle {
  /** Puts text at the cursor, set off by spaces from what is around it, and images beside those that are attached. */
  insert(text: string, images?: readonly Attachment[]): void;
  /** Replaces the draft. */
  fill(text: string): void;
  focus(): void;
}

/** Calls made before the composer is there wait for it, in order. */
export class ComposerLink implements ComposerHandle {
  #handle: ComposerHandle | null = null;
  #waiting: ((handle: ComposerHandle) => void)[] = [];

  attach(handle: ComposerHandle): () => void {
    this.#handle = handle;
    for (const call of this.#waiting.splice(0)) call(handle);
    return () => {
      if (this.#handle === handle) this.#handle = null;
    };
  }

  insert(text: string, images: readonly Attachment[] = []): void {
    this.#do((handle) => handle.insert(text, images));
  }

  fill(text: string): void {
    this.#do((handle) => handle.fill(text));
  }

  focus(): void {
    this.#do((handle) => handle.focus());
  }

  #do(call: (handle: ComposerHandle) => void): void {
    if (this.#handle) call(this.#handle);
    else this.#waiting.push(call);
  }
}
