/** Finds a text that the user typed. Case does not matter, and a space matches any white space. */

/** Start and end of a match, in UTF-16 units. */
export type TextMatch = readonly [start: number, end: number];

/** undefined: there is nothing to find. */
export function finder(query: string): ((text: string) => TextMatch[]) | undefined {
  const words = query.split(/\s+/);
  if (words.every((word) => word === "")) return undefined;
  const source = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("\\s+");
  const pattern = new RegExp(source, "gi");
  return (text) => [...text.matchAll(pattern)].map(({ index, 0: match }) => [index, index + match.length]);
}
