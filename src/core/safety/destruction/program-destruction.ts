/** Determines what one program with its words destroys. */
import { isInterpreter, namesOf, precedesCommand } from "../programs/runners.ts";
import type { Word } from "../shells/shell-words.ts";
import { type Destroys, fileDestroyers } from "./file-destroyers.ts";
import { gitDestroys } from "./git-destruction.ts";
import { operandsOf, optionsOf } from "./operands.ts";
import type { TargetRecorder } from "./target-list.ts";
import { windowsDestroyer } from "./windows-destruction.ts";

/** Programs that read words from standard input: these are known only when the command runs. */
const FEEDS = /^(?:g?xargs|parallel|sem|rush)$/;
/** What else runs the words after it, or one of them. Some of these also install. */
const MANAGES =
  /^(?:npm|pnpm|yarn|bun|uv|poetry|pipenv|bundle|mise|direnv|dotenv|cross-env|fakeroot|firejail|chrt|taskset|setarch|gtime|shx|unbuffer|caffeinate|xvfb-run)$/;
const INSTALLS = /^(?:install|unlink|patch)$/;
const SHELLS = /^(?:ba|z|da|a|k|mk|fi|c|tc)?sh$/;

/** Calls that delete, replace or truncate files, in the languages of interpreters. */
const DESTROYING_CODE = [
  /\b(?:rmtree|unlink\w*|rmdir\w*|truncate\w*|writeFile\w*|write_text|write_bytes|createWriteStream|copyfile|rm_rf?|rm_f|FileUtils|remove_tree|file_put_contents|fopen|subprocess|execSync|spawn\w*|system)\b/,
  /\b(?:rm(?:Sync)?|remove\w*|rename\w*|move\w*|write\w*|copy\w*|cp(?:Sync)?|replace|exec\w*|delete\w*)\s*\(/,
  /\bFile(?:\.|::)(?:delete|write|open|rename|unlink|Path|Copy|WriteAll\w*)\b/,
  /\bopen\s*\(.*["'](?:[wax]b?\+?t?|r\+b?|>>?|\+<)/s,
  /`[^`]*\b(?:rm|mv|cp)\b/,
  /\]::(?:Delete|Move|Replace|Copy|Write\w*|Append\w*|Create\w*|Open\w*)|\.(?:Delete|MoveTo|CopyTo)\(/i,
];

/** `text`: the whole command line. */
export function programDestroys(
  [first, ...words]: readonly Word[],
  hits: TargetRecorder,
  text: string,
): void {
  const names = first && !first.unknown ? namesOf(first.text) : [];
  const known = destroyerOf(names, hits.isWindows);
  const is = (pattern: RegExp): boolean => names.some((name) => pattern.test(name));
  if (known) known(words, hits, text);
  else if (is(FEEDS)) startedDestroys([...words, UNKNOWN], hits.uncertain(), text);
  else if (is(MANAGES))
    startedDestroys(
      words.filter((word) => !INSTALLS.test(word.text)),
      hits,
      text,
    );
  else if (precedesCommand(first?.text ?? "") && !is(/^ssh$/)) startedDestroys(words, hits, text);
  if (is(/^eval$/) && words.some(({ unknown }) => unknown)) hits.everything();
}

const UNKNOWN: Word = { text: "", start: 0, end: 0, literal: false, unknown: "any" };

/** One of these words is a program, or a whole command: `env -S "rm x"`, `watch "rm x"`. */
function startedDestroys(words: readonly Word[], hits: TargetRecorder, text: string): void {
  const at = words.findIndex((word) => mayDestroy(word, hits));
  for (const word of at < 0 ? words : words.slice(0, at))
    if (!word.unknown && /\s/.test(word.text)) hits.shell(word);
  if (at >= 0) programDestroys(words.slice(at), hits, text);
}

/** Whether it may destroy the files that it is given; the word may be a path to it. */
function mayDestroy(word: Word | undefined, hits: TargetRecorder): boolean {
  const names = namesOf(word?.text ?? "");
  const isKnown = destroyerOf(names, hits.isWindows) !== undefined;
  return isKnown || precedesCommand(word?.text ?? "") || names.some((name) => FEEDS.test(name));
}

function destroyerOf(names: readonly string[], isWindows: boolean): Destroys | undefined {
  // The plain name tells most: `bash.exe` is bash.
  for (const name of [...names].reverse()) {
    const destroys = (isWindows ? windowsDestroyer(name) : undefined) ?? destroyer(name);
    if (destroys) return destroys;
  }
  return undefined;
}

function destroyer(name: string): Destroys | undefined {
  const known = fileDestroyers.get(name);
  if (known) return known;
  if (name === "git") return gitDestroys;
  if (/^g?find$/.test(name)) return findDestroys;
  if (/^fd(?:find)?$/.test(name)) return fdDestroys;
  if (SHELLS.test(name)) return shellDestroys;
  if (/^(?:pwsh|powershell|cmd)$/.test(name)) return otherShell;
  return isInterpreter(name) ? codeDestroys : undefined;
}

/** A shell with another syntax. */
function otherShell(_: readonly Word[], hits: TargetRecorder, text: string): void {
  if (looksDestroying(text)) hits.everything();
}

const ACTS = /^-(?:exec|execdir|ok|okdir)$/;

/** `find` with an action for what it finds. */
function findDestroys(words: readonly Word[], hits: TargetRecorder): void {
  const acts = words.some(
    ({ text }, i) =>
      /^-(?:delete|fprint0?|fprintf|fls)$/.test(text) ||
      (ACTS.test(text) && (words[i + 1]?.unknown !== undefined || mayDestroy(words[i + 1], hits))),
  );
  if (!acts) return;
  const first = words.findIndex(
    ({ text, unknown }) => !unknown && /^[-(!]/.test(text) && !/^-[HLPOD]/.test(text),
  );
  const places = operandsOf(words.slice(0, first < 0 ? words.length : first));
  if (places.length === 0) hits.here();
  else hits.paths(places);
}

function fdDestroys(words: readonly Word[], hits: TargetRecorder): void {
  const at = words.findIndex(({ text }) => /^(?:-[xX]|--exec(?:-batch)?)$/.test(text));
  if (at >= 0 && mayDestroy(words[at + 1], hits)) hits.everything();
}

function shellDestroys(words: readonly Word[], hits: TargetRecorder): void {
  const code = words.findIndex(({ text }) => /^(?:-[a-zA-Z]*c[a-zA-Z]*|--command)$/.test(text));
  if (!hits.context.certain) hits.everything();
  else if (code >= 0) hits.shell(words[code + 1]);
  else {
    // Without a script, it runs what it reads.
    const [script] = operandsOf(words);
    const readsInput = optionsOf(words).some((text) => /^-[a-zA-Z]*[soO]/.test(text));
    if (!script || script.text === "-" || readsInput) hits.everything();
  }
}

/** An interpreter: its code is among the words, or in what it reads. With `-i`, perl and ruby edit files in place. */
function codeDestroys(words: readonly Word[], hits: TargetRecorder, text: string): void {
  const inPlace = /^-(?!version|inspect)[a-zA-Z0-9]*i(?:\.\S*)?[a-z]*$/;
  if (words.some((word) => inPlace.test(word.text)) || isDestroyingCode(text)) hits.everything();
}

function isDestroyingCode(text: string): boolean {
  return DESTROYING_CODE.some((pattern) => pattern.test(text));
}

const names = [...fileDestroyers.keys()].map((name) => name.replace(/[^\w-]/g, "\\$&")).join("|");
const SUSPICIOUS = new RegExp(
  `(?<![\\w./-])(?:${names}|remove-item|clear-content|set-content|move-item|del|erase|rd|ren)(?![\\w-])|\\bgit\\b[\\s\\S]*\\b(?:clean|reset|checkout|restore|stash|switch|rm|mv|apply)\\b|-delete\\b|(?<![-=<0-9&])>(?!\\s*(?:&|/dev/null))`,
  "i",
);

/** Whether a text that is not understood mentions programs, or code, that destroy. */
export function looksDestroying(text: string): boolean {
  return SUSPICIOUS.test(text) || isDestroyingCode(text);
}
