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
    // A rejection is handled by whoever waits. It may also be rejected when nobody waits any more.
    this.promise.catch(() => undefined);
  }
}
