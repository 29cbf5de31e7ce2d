/** A promise that is settled from outside; only the first time counts. */
export class Deferred<T> {
  readonly promise: Promise<T>;
  resolve: (value: T) => void = () => {};
  reject: (error: unknown) => void = () => {};

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // Whoever waits handles it; it may be rejected after nobody does.
    this.promise.catch(() => undefined);
  }
}
