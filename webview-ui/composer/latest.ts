/**
 * Questions whose answers may come out of order: an answer older than one already given is dropped.
 * `pending` is true until the newest question is answered.
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

  /** Asks; a rejected question counts as unanswered by anyone, and `fallback` is delivered in its place. */
  async ask(question: () => Promise<A>, fallback: A): Promise<void> {
    const number = ++this.#asked;
    let answer = fallback;
    try {
      answer = await question();
    } catch {
      // The host could not answer; the list is empty rather than stale.
    }
    if (number <= this.#answered) return;
    this.#answered = number;
    this.#deliver(answer);
  }

  /** Answers still on their way are dropped. */
  cancel(): void {
    this.#answered = ++this.#asked;
  }
}
