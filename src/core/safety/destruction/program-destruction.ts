/** Determines what one program with its words destroys, in any shell. */

import { fileDestroyers } from "./file-destroyers.ts";
import { gitDestroys } from "./git-destruction.ts";
import { only, splitArguments } from "./split-arguments.ts";
import type { TargetRecorder } from "./target-list.ts";
import type { Values } from "./value.ts";
import {
  commandText,
  fdDestroys,
  feeders,
  findDestroys,
  interpreters,
  isDestroyingCode,
  shells,
  wrappers,
} from "./wrappers.ts";

/** `/usr/bin/Rm.exe` is rm. */
export function programName(word: Values): string {
  const text = only(word) ?? "";
  return text.replace(/^.*[\\/]/s, "").replace(/\.(?:exe|cmd|bat)$/i, "");
}

function isProgram(name: string): boolean {
  return fileDestroyers.has(name) || wrappers.has(name) || special(name) !== undefined;
}

/** Whether it may destroy the files that it is given; `word` may be a path to it. */
function mayDestroy(word: string): boolean {
  return isProgram(programName([{ text: word }]));
}

/** `input`: its standard input, if the command line specifies it; null: it has another source. */
export function programDestroys(words: readonly Values[], hits: TargetRecorder, input?: string | null): void {
  const name = programName(words[0]);
  const rest = words.slice(1);
  const known = fileDestroyers.get(name) ?? special(name);
  if (known) {
    known(rest, hits, input);
    return;
  }
  if (!wrappers.has(name)) return;
  const code = commandText(rest);
  if (code && /^(?:su|script|env|npm|npx|flock|watch|entr)$/.test(name)) hits.shell(code.word);
  const at = rest.findIndex((word) => isProgram(programName(word)));
  if (at >= 0) {
    programDestroys(rest.slice(at), hits, input);
    return;
  }
  // `env -S "rm x"`, `watch "rm x"`: one word is the whole command.
  for (const word of rest) if (/\s/.test(only(word) ?? "")) hits.shell(word);
}

type Special = (words: readonly Values[], hits: TargetRecorder, input?: string | null) => void;

function special(name: string): Special | undefined {
  if (name === "git") return gitDestroys;
  if (name === "eval") return (words, hits) => hits.shell(joined(words));
  if (/^g?find$/.test(name)) return (words, hits) => findDestroys(words, hits, mayDestroy);
  if (/^fd(?:find)?$/.test(name)) return (words, hits) => fdDestroys(words, hits, mayDestroy);
  if (feeders.has(name)) return fed;
  if (shells.has(name)) return shellDestroys;
  return interpreters.has(name) ? codeDestroys : undefined;
}

/** The words after xargs receive names that only its input contains. */
function fed(words: readonly Values[], hits: TargetRecorder): void {
  const at = words.findIndex((word) => isProgram(programName(word)));
  const name = programName(words[at]);
  if (at < 0) return;
  if (shells.has(name)) {
    // What its text leaves open comes from the input.
    hits.here();
    shellDestroys(words.slice(at + 1), hits, null);
    return;
  }
  programDestroys([...words.slice(at), undefined], hits, null);
}

function shellDestroys(words: readonly Values[], hits: TargetRecorder, input?: string | null): void {
  const code = commandText(words);
  if (code) {
    hits.shell(code.word);
    return;
  }
  const { operands } = splitArguments(words, "-o -O");
  if (operands.length > 0 && only(operands[0]) !== "-") return;
  if (input !== undefined) hits.shell(input === null ? undefined : [{ text: input }]);
}

function codeDestroys(words: readonly Values[], hits: TargetRecorder, input?: string | null): void {
  const texts = words.map((word) => only(word) ?? "");
  // For perl and ruby: the files are edited in place.
  const inPlace = texts.some(
    (text) => /^-[a-zA-Z0-9]*i(?:\.\S*)?[a-z]*$/.test(text) && !/^-(?:version|inspect)/.test(text),
  );
  const code = [...texts, input ?? ""].join("\n");
  if (isDestroyingCode(code)) hits.everything();
  if (!inPlace || !/^-/.test(texts.find((text) => /i/.test(text)) ?? "")) return;
  const { operands } = splitArguments(words, "-e -E -I -M");
  hits.paths(operands);
  for (const word of operands) hits.beside(word);
}

function joined(words: readonly Values[]): Values {
  const texts = words.map(only);
  return texts.includes(undefined) ? undefined : [{ text: texts.join(" ") }];
}

const destroyerNames = [...fileDestroyers.keys()].map((name) => name.replace(/[^\w-]/g, "\\$&")).join("|");
const SUSPICIOUS = new RegExp(
  `(?<![\\w./-])(?:${destroyerNames}|remove-item|clear-content|set-content|move-item|del|erase|rd|ren)(?![\\w-])|\\bgit\\b[\\s\\S]*\\b(?:clean|reset|checkout|restore|stash|switch|rm|mv|apply)\\b|-delete\\b|(?<![-=<0-9&])>(?!\\s*(?:&|/dev/null))`,
  "i",
);

/** Checks whether text that cannot be parsed mentions programs that destroy. */
export function looksDestroying(text: string): boolean {
  return SUSPICIOUS.test(text);
}
