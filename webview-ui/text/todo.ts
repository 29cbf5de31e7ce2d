/** The todo list, as the model keeps it: Markdown check boxes. */
export interface TodoItem {
  text: string;
  done: boolean;
}

const item = /^\s*(?:[-*+]|\d+[.)])\s+\[([ xX])\]\s+(.*)$/;

export function parseTodo(markdown: string): TodoItem[] {
  const items: TodoItem[] = [];
  for (const line of markdown.split("\n")) {
    const match = item.exec(line);
    if (match) items.push({ text: (match[2] ?? "").trim(), done: match[1] !== " " });
  }
  return items;
}
