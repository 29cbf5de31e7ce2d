/** ripgrep's words for an expression that it does not take, as advice that a model can follow. */

/** Whether the expression needs the other engine, which has look-around and references to groups. */
export function needsOtherEngine(errors: string): boolean {
  return errors.includes("--pcre2");
}

export function adviceFrom(errors: string): string {
  return errors
    .replace(/^rg: /, "")
    .replace(
      /Consider enabling PCRE2 with[\s\S]*?look-around\./,
      "Write the expression without look-around and references to groups.",
    )
    .replace(
      /Consider enabling multiline mode with[\s\S]*?can be matched\./,
      "Set multiline to true to match across lines.",
    )
    .trim();
}

/** An expression for several lines, in which a line break fits those of Windows, too. */
export function acrossLines(regex: string): string {
  let inClass = false;
  return regex.replace(/\\[\s\S]|[[\]\n]/g, (found) => {
    if (found === "[") inClass = true;
    else if (found === "]") inClass = false;
    else if (!inClass && (found === "\\n" || found === "\n")) return "(?:\\r?\\n)";
    return found;
  });
}
