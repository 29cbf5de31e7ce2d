/** Reads a command for cmd.exe: one line of plain words only, because no other syntax has a single meaning there. */
import { reasonOf } from "../../../shared/reason.ts";
import type { Reading } from "./shell-words.ts";

const PLAIN = /^[A-Za-z0-9_./\\:*?+-][A-Za-z0-9_./\\:*?+=~-]*$/;

export function readCmd(text: string): Reading {
  const trimmed = text.replace(/^ +| +$/g, "");
  if (trimmed === "") return { ok: false, reason: reasonOf("empty") };
  const words = trimmed.split(/ +/);
  const odd = words.find((word) => !PLAIN.test(word));
  if (odd !== undefined) return { ok: false, reason: reasonOf("cmd-word") };
  // `scripts\\check.bat`: a file of the project, which the list may name.
  if (
    !/^(?:\.\\)?(?:[A-Za-z0-9_][A-Za-z0-9_.-]*\\)*[A-Za-z][A-Za-z0-9_-]*(?:\.(?:bat|cmd|exe|com|ps1))?$/i.test(
      words[0] ?? "",
    )
  )
    return { ok: false, reason: reasonOf("computed-name") };
  return {
    ok: true,
    commands: [
      {
        words: words.map((word) => ({
          text: word,
          start: 0,
          end: 0,
          literal: !/[*?]/.test(word),
          ...(/[*?]/.test(word) ? { glob: word.replaceAll("\\", "/") } : {}),
        })),
      },
    ],
  };
}

/** Returns every run of characters that cmd might read as a command, as words, for the deny list. */
export function seenInCmd(text: string): string[][] {
  return text
    .replace(/[\^"@]/g, "")
    .split(/[&|()\n]+/)
    .map((part) => part.split(/[\s,;=]+/).filter((word) => word !== ""))
    .filter((words) => words.length > 0);
}
