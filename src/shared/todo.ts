/** The todo list, as it is kept: Markdown check boxes, one a line. */

export interface TodoItem {
  text: string;
  done: boolean;
  /** 0: a step; more: a part of the one above that has less. */
  depth: number;
}

const item = /^(\s*(?:[-*+]|\d+[.)])\s+\[)([ xX])(\]\s+)(\S.*)$/;
/** A list item without a box. */
const bullet = /^(\s*)(?:[-*+]|\d+[.)])\s+(?!\[[^\]]?\](?:\s|$))(\S.*)$/;

export function parseTodo(markdown: string): TodoItem[] {
  return markdown.split("\n").flatMap((line) => {
    const match = item.exec(line);
    if (!match) return [];
    const indent = (/^\s*/.exec(line)?.[0] ?? "").replaceAll("\t", "  ").length;
    return [{ text: (match[4] ?? "").trim(), done: match[2] !== " ", depth: Math.min(4, indent >> 1) }];
  });
}

/** The list with the item of that index (as `parseTodo` counts) done, or not done again. All else stays as it is. */
export function withDone(markdown: string, index: number, done: boolean): string {
  let at = -1;
  return markdown
    .split("\n")
    .map((line) => {
      const match = item.exec(line);
      if (!match || ++at !== index) return line;
      return `${match[1]}${done ? "x" : " "}${match[3]}${match[4]}`;
    })
    .join("\n");
}

/**
 * The list in what a person wrote: list items without a box get an empty one. `leftOut`: lines that are neither items
 * nor headings, and have no place in a list. "" with lines left out: what they wrote is no list at all.
 */
export function readTodo(text: string): { markdown: string; leftOut: string[] } {
  const items: string[] = [];
  const leftOut: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const plain = bullet.exec(line);
    if (item.test(line)) items.push(line);
    else if (plain) items.push(`${plain[1]}- [ ] ${plain[2]}`);
    else if (line.trim() !== "" && !/^\s*(?:#|[-*+]\s*(?:\[[ xX]?\]\s*)?$)/.test(line))
      leftOut.push(line.trim());
  }
  return { markdown: items.join("\n"), leftOut };
}
