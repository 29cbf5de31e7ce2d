/** Reads a command for cmd.exe. Only one line of plain words runs unasked, because no other syntax has a single meaning there. */
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import { placed } from "./folders.ts";
import type { Reading, SimpleCommand, Word } from "./shell-words.ts";

const PLAIN = /^[A-Za-z0-9_./\\:*?+-][A-Za-z0-9_./\\:*?+=~-]*$/;
/** A program, or a file of the project, which the list may name: `scripts\\check.bat`. */
const NAME =
  /^(?:\.\\)?(?:[A-Za-z0-9_][A-Za-z0-9_.-]*\\)*[A-Za-z][A-Za-z0-9_-]*(?:\.(?:bat|cmd|exe|com|ps1))?$/i;
export function readCmd(text: string): Reading {
  const words = text.split(/ +/).filter((word) => word !== "");
  const fault = faultOf(words);
  if (fault === undefined) return { commands: placed([{ words: words.map(plain) }], true), certain: true };
  const commands = text
    .replace(/[\^@]/g, "")
    .replace(/\d?>&\d/g, " ")
    .split(/[&|()\n]+/)
    .map(rough);
  return {
    commands: placed(
      commands.filter((command) => command.words.length > 0 || command.writes),
      true,
    ),
    certain: !/[%^!]|\bfor\b/i.test(text) && !quotesSigns(text),
    fault,
  };
}

/** Whether a sign that stands between commands is in quotes, or a quote is not closed. */
function quotesSigns(text: string): boolean {
  return (text.match(/"[^"]*"?/g) ?? []).some((quoted) => !/^"[^"&|()\n]*"$/.test(quoted));
}

function faultOf(words: readonly string[]): Reason | undefined {
  const [name] = words;
  if (name === undefined) return reasonOf("empty");
  if (!words.every((word) => PLAIN.test(word))) return reasonOf("cmd-word");
  return NAME.test(name) ? undefined : reasonOf("computed-name");
}

function plain(text: string): Word {
  const isPattern = /[*?]/.test(text);
  const glob = isPattern ? { glob: text.replaceAll("\\", "/") } : {};
  return { text, start: 0, end: 0, literal: !isPattern, ...glob };
}

/** Reads what cmd may read as a command. */
function rough(part: string): SimpleCommand {
  const writes: Word[] = [];
  const rest = part.replace(/\d?>>?\s*("[^"]*"|[^\s">]+)/g, (_, file: string) => {
    if (!/^nul$/i.test(file)) writes.push(plain(file.replaceAll('"', "")));
    return " ";
  });
  const words = rest.match(/(?:"[^"]*"|[^\s,;="])+/g) ?? [];
  return {
    words: words.map((word) => plain(word.replaceAll('"', ""))),
    ...(writes.length > 0 ? { writes } : {}),
  };
}
