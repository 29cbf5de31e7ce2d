/** Reassembles streamed reasoning details, which are sent back to the endpoint. */

type Detail = Record<string, unknown>;

/** Fields to which each piece appends; a piece replaces other fields. */
const GROWING = new Set(["text", "summary", "data"]);

export class ReasoningDetails {
  readonly #items: { detail: Detail; grown: Map<string, string[]> }[] = [];

  push(pieces: readonly Detail[]): void {
    for (const piece of pieces) {
      const item = this.#itemOf(piece);
      for (const [name, value] of Object.entries(piece)) {
        if (value === null || value === undefined) continue;
        if (!GROWING.has(name) || typeof value !== "string") item.detail[name] = value;
        else if (item.grown.get(name)?.push(value) === undefined) item.grown.set(name, [value]);
      }
    }
  }

  /** The item that a piece continues, by kind and index; otherwise a new item. */
  #itemOf(piece: Detail): { detail: Detail; grown: Map<string, string[]> } {
    const last = this.#items.at(-1);
    const isSameIndex = piece.index !== undefined && last?.detail.index === piece.index;
    if (last && isSameIndex && last.detail.type === piece.type) return last;
    const item = { detail: {}, grown: new Map<string, string[]>() };
    this.#items.push(item);
    return item;
  }

  /** undefined: there is no opaque data; plain reasoning is not sent again. */
  end(): Detail[] | undefined {
    const items = this.#items.map(({ detail, grown }) => ({
      ...detail,
      ...Object.fromEntries([...grown].map(([name, pieces]) => [name, pieces.join("")])),
    }));
    return items.some((item) => "signature" in item || "data" in item) ? items : undefined;
  }
}
