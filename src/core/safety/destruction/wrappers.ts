/** Programs that run the words after them, and programs that run text as code. */

import { only } from "./split-arguments.ts";
import type { TargetRecorder } from "./target-list.ts";
import type { Values } from "./value.ts";

const list = (names: string): ReadonlySet<string> => new Set(names.split(" "));

export const wrappers = list(
  "sudo doas su env nohup nice ionice chrt taskset time gtime timeout gtimeout stdbuf setsid setarch busybox toybox shx command builtin exec noglob nocorrect watch flock unbuffer caffeinate strace ltrace xvfb-run npx bunx pnpx npm pnpm yarn bun uv poetry pipenv bundle mise direnv dotenv cross-env fakeroot chroot firejail script entr then do else and or not begin if while until coproc { !",
);

/** Programs that read words from standard input: these are known only when the command runs. */
export const feeders = list("xargs gxargs parallel rush");

export const shells = list("sh bash zsh dash ash ksh mksh fish csh tcsh");

export const interpreters = list(
  "python python2 python3 pypy pypy3 node nodejs deno bun tsx ts-node ruby perl php lua luajit osascript tclsh Rscript julia groovy",
);

/** Calls that delete, replace or truncate files, in the languages above. */
const DESTROYING_CODE = [
  /\b(?:rmtree|unlink\w*|rmdir\w*|truncate\w*|writeFile\w*|write_text|write_bytes|createWriteStream|copyfile|rm_rf?|rm_f|FileUtils|remove_tree|file_put_contents|fopen|subprocess|execSync|spawn\w*|system)\b/,
  /\b(?:rm(?:Sync)?|remove\w*|rename\w*|move\w*|write\w*|copy\w*|cp(?:Sync)?|replace|exec\w*|delete\w*)\s*\(/,
  /\bFile(?:\.|::)(?:delete|write|open|rename|unlink|Path|Copy|WriteAll\w*)\b/,
  /\bopen\s*\(.*["'](?:[wax]b?\+?t?|r\+b?|>>?|\+<)/s,
  /`[^`]*\b(?:rm|mv|cp)\b/,
];

export function isDestroyingCode(text: string): boolean {
  return DESTROYING_CODE.some((pattern) => pattern.test(text));
}

/** Returns the text after `-c` or an option such as `-lc`; undefined if there is none. */
export function commandText(words: readonly Values[]): { word: Values } | undefined {
  const at = words.findIndex((word) => /^(?:-[a-zA-Z]*c[a-zA-Z]*|--command)$/.test(only(word) ?? ""));
  return at < 0 ? undefined : { word: words[at + 1] };
}

/** Handles `find` and `fd` with an action for what they find. */
export function findDestroys(
  words: readonly Values[],
  hits: TargetRecorder,
  isDestroyer: (name: string) => boolean,
): void {
  const texts = words.map((word) => only(word) ?? "");
  const acts = texts.some((text, i) => {
    if (/^-(?:delete|fprint0?|fprintf|fls)$/.test(text)) return true;
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(text)) return false;
    return isDestroyer(texts[i + 1] ?? "") || words[i + 1] === undefined;
  });
  if (!acts) return;
  const first = texts.findIndex(
    (text, i) => /^[-(!]/.test(text) && !/^-[HLPOD]/.test(text) && words[i] !== undefined,
  );
  const places = words
    .slice(0, first < 0 ? words.length : first)
    .filter((word) => !/^-/.test(only(word) ?? ""));
  if (places.length === 0) hits.here();
  else hits.paths(places);
}

export function fdDestroys(
  words: readonly Values[],
  hits: TargetRecorder,
  isDestroyer: (name: string) => boolean,
): void {
  const texts = words.map((word) => only(word) ?? "");
  const at = texts.findIndex((text) => /^(?:-[xX]|--exec(?:-batch)?)$/.test(text));
  if (at >= 0 && isDestroyer(texts[at + 1] ?? "")) hits.here();
}
