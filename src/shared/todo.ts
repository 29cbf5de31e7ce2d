/** The todo list in its stored form: Markdown check boxes, one per line. */

export interface TodoItem {
  text: string;
  done: boolean;
  /** 0: a step; more: a part of the nearest step above with a smaller value. */
  depth: number;
}

const ITEM = /^(\s*(?:[-*+]|\d+[.)])\s+\[)([ xX])(\]\s+)(\S.*)$/;
/** A list item without a check box. */
const BULLET = /^(\s*)(?:[-*+]|\d+[.)])\s+(?!\[[^\]]?\](?:\s|$))(\S.*)$/;

export function parseTodo(markdown: string): TodoItem[] {
  return markdown.split(/\r?\n/).flatMap((line) => {
    const match = ITEM.exec(line);
    if (!match) return [];
    const indent = (/^\s*/.exec(line)?.[0] ?? "").replaceAll("\t", "  ").length;
    return [{ text: (match[4] ?? "").trim(), done: match[2] !== " ", depth: Math.min(4, indent >> 1) }];
  });
}

/** The list with the item at that index (counted as in `parseTodo`) set to `done`. Everything else stays unchanged. */
export function withDone(markdown: string, index: number, done: boolean): string {
  let at = -1;
  return markdown
    .split("\n")
    .map((line) => {
      const match = ITEM.exec(line);
      if (!match || ++at !== index) return line;
      return `${match[1]}${done ? "x" : " "}${match[3]}${match[4]}`;
    })
    .join("\n");
}

/**
 * The todo list in the user's text: list items without a check box get an empty one. `leftOut`: lines that are neither
 * items nor headings and do not belong in a list. "" with lines left out: the text contains no list.
 */
export function readTodo(text: string): { markdown: string; leftOut: string[] } {
  const items: string[] = [];
  const leftOut: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const plain = BULLET.exec(line);
    if (ITEM.test(line)) items.push(line);
    else if (plain) items.push(`${plain[1]}- [ ] ${plain[2]}`);
    else if (line.trim() !== "" && !/^\s*(?:#|[-*+]\s*(?:\[[ xX]?\]\s*)?$)/.test(line))
      leftOut.push(line.trim());
  }
  return { markdown: items.join("\n"), leftOut };
}
