/** Timers that run when the test says so. */
export class ManualClock {
  #due: (() => void)[] = [];
  /** Milliseconds of each timer, in the order of their start. */
  readonly delays: number[] = [];
  after(ms: number, run: () => void) {
    this.delays.push(ms);
    this.#due.push(run);
    return {
      dispose: () => {
        this.#due = this.#due.filter((other) => other !== run);
      },
    };
  }
  tick(): void {
    for (const run of this.#due.splice(0)) run();
  }
}
