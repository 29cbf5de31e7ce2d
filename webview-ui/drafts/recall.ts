/** Walks through the user's earlier messages in the composer, as a shell does. */

export class Recall {
  /** What the composer contained before the walk. */
  #draft = "";
  /** Index into the messages, newest first; -1: no walk. */
  #at = -1;
  #shown = "";

  /**
   * The text that replaces `text` for ArrowUp ("older") or ArrowDown ("newer"); undefined: the key moves the cursor. A walk begins at the
   * start of the text, goes on from the first or last line, and ends with the draft or when the user changes the text.
   *
   * @param messages The user's messages, oldest first.
   */
  step(
    direction: "older" | "newer",
    { text, cursor }: { text: string; cursor: number },
    messages: readonly string[],
  ): string | undefined {
    if (text !== this.#shown) this.#at = -1;
    const isWalking = this.#at >= 0;
    const line = direction === "older" ? text.slice(0, cursor) : text.slice(cursor);
    if (isWalking ? line.includes("\n") : direction === "newer" || cursor > 0) return undefined;
    const newest = distinct(messages);
    const next = direction === "older" ? this.#at + 1 : this.#at - 1;
    if (next >= newest.length) return undefined;
    if (!isWalking) this.#draft = text;
    this.#at = next;
    this.#shown = newest[next] ?? this.#draft;
    return this.#shown;
  }
}

/** Newest first, without repetitions in a row. */
function distinct(messages: readonly string[]): string[] {
  const said = messages.filter((text, index) => text.trim() !== "" && text !== messages[index + 1]);
  return said.reverse();
}
