/** Results that are too long for one answer, kept in memory so that the model can read the rest page by page. */

/** Characters of all kept results; the oldest are dropped beyond that. */
const KEPT_CHARACTERS = 20_000_000;
const PREFIX = "nekode://results/";

export class KeptResults {
  readonly #texts = new Map<string, string>();
  #size = 0;
  #last = 0;

  /**
   * The text, or its first `limit` characters with a note that names the address of the rest. `how`: how the model reads an
   * address.
   */
  bound(text: string, limit: number, how: (uri: string) => string): string {
    if (text.length <= limit) return text;
    const id = String(++this.#last);
    this.#keep(id, text);
    return this.#page(id, text, 0, limit, how);
  }

  /** The page at an address that `bound` named; undefined: that is not such an address, or the result is no longer kept. */
  read(uri: string, limit: number, how: (uri: string) => string): string | undefined {
    const match = /^nekode:\/\/results\/(\d+)\?from=(\d{1,9})$/.exec(uri);
    const text = match && this.#texts.get(match[1] ?? "");
    if (!match || text === undefined || text === null) return undefined;
    const from = Number(match[2]);
    if (from >= text.length) return `The result has ${text.length} characters and ends before ${from}.`;
    return this.#page(match[1] ?? "", text, from, limit, how);
  }

  #keep(id: string, text: string): void {
    this.#texts.set(id, text);
    this.#size += text.length;
    for (const [oldest, dropped] of this.#texts) {
      if (this.#size <= KEPT_CHARACTERS || oldest === id) break;
      this.#texts.delete(oldest);
      this.#size -= dropped.length;
    }
  }

  #page(id: string, text: string, from: number, limit: number, how: (uri: string) => string): string {
    const end = endOfPage(text, from + limit);
    const page = text.slice(from, end);
    if (end >= text.length) return page;
    const next = `${PREFIX}${id}?from=${end}`;
    return `${page}\n\n(Characters ${from + 1} to ${end} of ${text.length}. ${how(next)})`;
  }
}

/** Does not split a character that takes two code units. */
function endOfPage(text: string, end: number): number {
  if (end >= text.length) return text.length;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
