/** Calls that run something that can go on in the background, by the person's word. */
export class GoingOn {
  readonly #calls = new Map<string, AbortController>();

  /** Aborts when the person wants the call's command to go on while the task does. */
  begin(callId: string): AbortSignal {
    const controller = new AbortController();
    this.#calls.set(callId, controller);
    return controller.signal;
  }

  end(callId: string): void {
    this.#calls.delete(callId);
  }

  /** False: that call does not run (any more). */
  goOn(callId: string): boolean {
    const call = this.#calls.get(callId);
    call?.abort();
    return call !== undefined;
  }
}
