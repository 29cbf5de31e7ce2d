/**
 * Runs queries whose answers may arrive out of order, and drops an answer that is older than one already delivered. `pending`
 * is true until the newest question is answered.
 */
export class Latest<A> {
  #asked = 0;
  #answered = 0;
  readonly #deliver: (answer: A) => void;

  constructor(deliver: (answer: A) => void) {
    this.#deliver = deliver;
  }

  get pending(): boolean {
    return this.#answered < this.#asked;
  }

  /** Asks a question. If it rejects, `fallback` is delivered as its answer. */
  async ask(question: () => Promise<A>, fallback: A): Promise<void> {
    const number = ++this.#asked;
    let answer = fallback;
    try {
      answer = await question();
    } catch {
      // The host could not answer; an empty list is better than a stale one.
    }
    if (number <= this.#answered) return;
    this.#answered = number;
    this.#deliver(answer);
  }

  /** Drops answers that have not arrived yet. */
  cancel(): void {
    this.#answered = ++this.#asked;
  }
}
