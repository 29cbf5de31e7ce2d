/** The delimiters of formulas: the closing one by the opening one. */
export const CLOSERS: Readonly<Record<string, string>> = { $$: "$$", "\\[": "\\]", "\\(": "\\)", $: "$" };

/** The formula as written, of a token that math-rules.ts made. */
export function mathSource({ markup, content }: { markup: string; content: string }): string {
  return `${markup}${content}${CLOSERS[markup] ?? ""}`;
}
