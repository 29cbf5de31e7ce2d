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
  if (!blocks.some((block) => OPEN.test(textOf(block)))) return blocks;
  const top: MarkdownItem[] = [];
  const stack: Fold[] = [];
  for (const block of blocks) {
    const text = textOf(block);
    const inner = stack.at(-1);
    const siblings = inner?.items ?? top;
    const opening = OPEN.exec(text);
    if (opening) {
      const fold = foldOf(block.key, opening);
      siblings.push(fold.details);
      if (!fold.isClosed) stack.push(fold);
    } else if (inner && readSummary(inner, block.key, text)) continue;
    else if (inner && CLOSE.test(text)) stack.pop();
    else siblings.push(block);
  }
  return top;
}

/** "" for code, in which tags are not folds. */
function textOf(block: MarkdownBlock): string {
  return block.kind === "text" ? block.text : "";
}

/** A fold and its items, to which further blocks are added until it is closed. */
interface Fold {
  details: DetailsItem;
  items: MarkdownItem[];
  isClosed: boolean;
}

function foldOf(key: string, [, open, words = "", content = "", closed]: RegExpExecArray): Fold {
  const items = contentItems(key, content);
  const details: DetailsItem = {
    kind: "details",
    key,
    summary: words.trim(),
    open: open !== undefined,
    items,
  };
  return { details, items, isClosed: closed !== undefined };
}

/** Reads the summary of a fold from its first block; false: the fold has one already, or the block is something else. */
function readSummary({ details, items }: Fold, key: string, text: string): boolean {
  const summary = details.summary === "" && items.length === 0 ? SUMMARY.exec(text) : null;
  if (!summary) return false;
  const [, words = "", content = ""] = summary;
  details.summary = words.trim();
  items.push(...contentItems(key, content));
  return true;
}

function contentItems(key: string, text: string): MarkdownItem[] {
  return text === "" ? [] : [{ kind: "text", key: `${key}-content`, text }];
}

/** Whether two items show the same content. Blocks keep their identity, but folds are created again each time. */
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
