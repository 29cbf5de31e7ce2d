/** Puts the blocks between `<details>` and `</details>` into one item. */
import type { MarkdownBlock } from "./blocks.ts";

export interface DetailsItem {
  kind: "details";
  key: string;
  /** Markdown; empty if there is none. */
  summary: string;
  open: boolean;
  items: readonly MarkdownItem[];
}

export type MarkdownItem = MarkdownBlock | DetailsItem;

const OPEN =
  /^\s*<details(\s+open)?\s*>\s*(?:<summary>([\s\S]*?)<\/summary>)?\s*([\s\S]*?)\s*(<\/details>)?\s*$/i;
const SUMMARY = /^\s*<summary>([\s\S]*?)<\/summary>\s*([\s\S]*)$/i;
const CLOSE = /^\s*<\/details>\s*$/i;

/**
 * The blocks in the same order, with folds as items of their own. A fold that is not closed yet contains the remaining
 * blocks.
 */
export function nested(blocks: readonly MarkdownBlock[]): readonly MarkdownItem[] {
  if (!blocks.some((block) => block.kind === "text" && OPEN.test(block.text))) return blocks;
  const top: MarkdownItem[] = [];
  const stack: { details: DetailsItem; items: MarkdownItem[] }[] = [];
  const add = (item: MarkdownItem) => (stack.at(-1)?.items ?? top).push(item);
  for (const block of blocks) {
    const text = block.kind === "text" ? block.text : "";
    const opened = OPEN.exec(text);
    const inner = stack.at(-1);
    const summary = inner?.details.summary === "" && inner.items.length === 0 ? SUMMARY.exec(text) : null;
    if (opened) {
      const items: MarkdownItem[] = [];
      const [, open, words = "", content = "", closed] = opened;
      const { key } = block;
      const details: DetailsItem = {
        kind: "details",
        key,
        summary: words.trim(),
        open: open !== undefined,
        items,
      };
      if (content !== "") items.push({ kind: "text", key: `${key}-content`, text: content });
      add(details);
      if (closed === undefined) stack.push({ details, items });
    } else if (inner && summary) {
      const [, words = "", content = ""] = summary;
      inner.details.summary = words.trim();
      if (content !== "") inner.items.push({ kind: "text", key: `${block.key}-content`, text: content });
    } else if (inner && CLOSE.test(text)) stack.pop();
    else add(block);
  }
  return top;
}

/** Whether two items show the same content. Blocks keep their identity, but folds are created anew each time. */
export function sameItem(a: MarkdownItem | undefined, b: MarkdownItem | undefined): boolean {
  if (a === b) return true;
  if (a?.kind === "text" && b?.kind === "text") return a.key === b.key && a.text === b.text;
  if (a?.kind !== "details" || b?.kind !== "details") return false;
  return (
    a.key === b.key &&
    a.summary === b.summary &&
    a.items.length === b.items.length &&
    a.items.every((item, index) => sameItem(item, b.items[index]))
  );
}
