/** The delimiters of formulas: the closing one by the opening one. */
export const CLOSERS: Readonly<Record<string, string>> = { $$: "$$", "\\[": "\\]", "\\(": "\\)", $: "$" };

/** The source of a formula's token, including its delimiters. */
export function mathSource({ markup, content }: { markup: string; content: string }): string {
  return `${markup}${content}${CLOSERS[markup] ?? ""}`;
}
