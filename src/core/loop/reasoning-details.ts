/** Thinking that goes back to its endpoint: pieces as they stream, put together again. */

type Detail = Record<string, unknown>;

/** Fields of which each piece brings more; of others, each piece brings the whole. */
const growing = new Set(["text", "summary", "data"]);

export class ReasoningDetails {
  readonly #items: { detail: Detail; grown: Map<string, string[]> }[] = [];

  push(pieces: readonly Detail[]): void {
    for (const piece of pieces) {
      const item = this.#itemOf(piece);
      for (const [name, value] of Object.entries(piece)) {
        if (value === null || value === undefined) continue;
        if (!growing.has(name) || typeof value !== "string") item.detail[name] = value;
        else if (item.grown.get(name)?.push(value) === undefined) item.grown.set(name, [value]);
      }
    }
  }

  /** The one that a piece goes on with, by its kind and index; else a new one. */
  #itemOf(piece: Detail): { detail: Detail; grown: Map<string, string[]> } {
    const last = this.#items.at(-1);
    const goesOn = piece.index !== undefined && last?.detail.index === piece.index;
    if (last && goesOn && last.detail.type === piece.type) return last;
    const item = { detail: {}, grown: new Map<string, string[]>() };
    this.#items.push(item);
    return item;
  }

  /** undefined where there is nothing that only the endpoint can read: plain thinking is not worth sending again. */
  end(): Detail[] | undefined {
    const items = this.#items.map(({ detail, grown }) => ({
      ...detail,
      ...Object.fromEntries([...grown].map(([name, pieces]) => [name, pieces.join("")])),
    }));
    return items.some((item) => "signature" in item || "data" in item) ? items : undefined;
  }
}
