/** The manual page of `nekode`, in the language of man. */
import type { CommandUsage, UsageBlock } from "./usage-table.ts";

/** As text: no backslash, dash, or period or quote at the beginning of a line means anything else. */
const roff = (text: string) =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^(?=[.'])/, "\\&");

/** Exit codes have a section of their own. */
const EXIT = /^Exit codes: /;

export function manPage(table: readonly CommandUsage[], version: string): string {
  const [main, ...commands] = table;
  if (main === undefined) return "";
  const summaries = new Map(main.words.map(({ word, text }) => [word, text]));
  return `${[
    `.TH NEKODE 1 "" "nekode ${roff(version)}"`,
    ".SH NAME",
    "nekode \\- a coding agent for the terminal and other editors",
    ".SH SYNOPSIS",
    ...synopsis([main.synopsis[0] ?? "", "nekode COMMAND [ARGUMENT]..."]),
    ".SH DESCRIPTION",
    ...main.blocks.flatMap(block),
    ".SH COMMANDS",
    ...commands.flatMap((command) => [
      `.SS nekode ${roff(command.name)}`,
      ...(summaries.has(command.name) ? [`${roff(sentence(summaries.get(command.name) ?? ""))}`, ".PP"] : []),
      ...synopsis(command.synopsis),
      ...command.blocks.flatMap(block),
    ]),
    ".SH EXIT STATUS",
    ...exitCodes(main),
    "Commands with other exit codes say so above.",
  ].join("\n")}\n`;
}

const sentence = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;

const synopsis = (lines: readonly string[]) => [".nf", ...lines.map(roff), ".fi"];

function block(each: UsageBlock): string[] {
  if (each.kind === "sample") return [".PP", ".RS", ".nf", ...each.lines.map(roff), ".fi", ".RE"];
  if (each.kind === "paragraph") return [".PP", roff(each.text)];
  return each.entries.flatMap(({ heading, text }) => [".TP", `.B ${roff(heading)}`, roff(text)]);
}

/** A line for each code. */
function exitCodes({ blocks }: CommandUsage): string[] {
  const codes = blocks.flatMap((each) =>
    each.kind === "paragraph" && EXIT.test(each.text) ? [each.text] : [],
  );
  return codes
    .flatMap((text) => text.replace(EXIT, "").split(/, (?=\d+ )/))
    .flatMap((code) => [
      ".TP",
      `.B ${/^\d+/.exec(code)?.[0] ?? ""}`,
      roff(code.replace(/^\d+ /, "").replace(/\.$/, "")),
    ])
    .concat(".PP");
}
