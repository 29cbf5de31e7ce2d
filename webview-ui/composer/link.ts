import type { DraftAttachment } from "../host.ts";

/** Gives the rest of the panel access to the composer, whether or not it has mounted. */
export interface ComposerHandle {
  /** Inserts text at the cursor, separated by spaces from the text around it, and adds images to the attachments. */
  insert(text: string, images?: readonly DraftAttachment[]): void;
  /** Replaces the draft. */
  fill(text: string): void;
  /** Replaces the draft without taking the focus. */
  replace(text: string): void;
  focus(): void;
}

/** Queues calls until the composer mounts, then runs them in order. */
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

  insert(text: string, images: readonly DraftAttachment[] = []): void {
    this.#do((handle) => handle.insert(text, images));
  }

  fill(text: string): void {
    this.#do((handle) => handle.fill(text));
  }

  replace(text: string): void {
    this.#do((handle) => handle.replace(text));
  }

  focus(): void {
    this.#do((handle) => handle.focus());
  }

  #do(call: (handle: ComposerHandle) => void): void {
    if (this.#handle) call(this.#handle);
    else this.#waiting.push(call);
  }
}
