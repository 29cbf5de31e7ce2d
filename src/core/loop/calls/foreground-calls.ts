/** Calls that are running in the foreground and whose command the user can move to the background. */
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
