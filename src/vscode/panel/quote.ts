/** A fenced block around `text` that `text` itself cannot close. */
export function fenced(text: string, language: string): string {
  const runs = text.match(/`{3,}/g) ?? [];
  const fence = "`".repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `${fence}${language}\n${text.replace(/\r\n?/g, "\n").replace(/\n$/, "")}\n${fence}\n`;
}
