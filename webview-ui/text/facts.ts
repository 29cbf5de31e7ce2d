/** Facts in one line, in words of ours alone. Where it wraps, the separator stays at the end of the line. */
export const factLine = (facts: readonly string[]): string =>
  facts.filter((fact) => fact !== "").join("\u00a0· ");
