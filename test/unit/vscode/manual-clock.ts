/** Timers that run when the test says so. */
export class ManualClock {
  #due: (() => void)[] = [];
  after(_ms: number, run: () => void) {
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
