/**
 * What a command line certainly does that users want to see before they approve it. It follows from the words of its commands; where
 * they are not certain, nothing is claimed.
 */
import { type Danger, dangerSchema } from "../../../shared/danger.ts";
import type { ShellKind } from "../../ports/shell.ts";
import type { Assets } from "../../ports/system.ts";
import { isInside } from "../../roots.ts";
import { isRunner, programOf } from "../programs/runners.ts";
import { loadReader } from "../shells/read.ts";
import type { Word } from "../shells/shell-words.ts";
import { destructionOf } from "./destruction.ts";
import { subcommandAt } from "./git-destruction.ts";
import { operandsOf, optionsOf } from "./operands.ts";
import type { CommandFolders } from "./target-list.ts";

/** Deeper commands in commands are not read. */
const DEEPEST = 3;

/** In the order of `dangerSchema`. Rejects only if the grammar cannot be loaded. */
export async function dangersOf(
  assets: Assets,
  command: string,
  shell: ShellKind,
  around: CommandFolders,
): Promise<Danger[]> {
  const read = await loadReader(assets, shell, command);
  const found = new Set<Danger>();
  const look = (text: string, depth: number): void => {
    const { commands, certain } = read(text);
    if (!certain || depth > DEEPEST) return;
    for (const { words } of commands) {
      const own = withoutRunner(words);
      const [program, ...rest] = own;
      if (!program || program.unknown) continue;
      const name = programOf(program.text);
      for (const danger of dangersOfProgram(name, rest)) found.add(danger);
      const code = SHELLS.test(name) ? rest.findIndex(({ text }) => /^-[a-z]*c$/.test(text)) : -1;
      const inner = code < 0 ? undefined : rest[code + 1];
      if (inner && !inner.unknown) look(inner.text, depth + 1);
    }
  };
  look(command, 0);
  const destroyed = await destructionOf(assets, command, shell, around);
  const isOutside = destroyed?.targets.some(
    ({ path, glob }) => !glob && !around.roots.some((root) => isInside(root, path)),
  );
  if (isOutside) found.add("outside");
  return dangerSchema.options.filter((danger) => found.has(danger));
}

const SHELLS = /^(?:ba|z|da|a|k)?sh$/;

/** The words from the program that a runner such as `sudo` starts. Options that take a value end the search. */
function withoutRunner(words: readonly Word[]): readonly Word[] {
  let rest = words;
  for (let depth = 0; depth < DEEPEST && rest[0] && !rest[0].unknown && isRunner(rest[0].text); depth++) {
    const at = rest.findIndex(({ text }, i) => i > 0 && !text.startsWith("-") && !/^\w+=/.test(text));
    rest = at < 0 ? [] : rest.slice(at);
  }
  return rest;
}

const DELETING = /^(?:g?rm|unlink|rmdir|shred|srm|wipe|rimraf|del-cli|del|erase|rd|remove-item|ri)$/;
const PERMISSIONS = /^(?:g?chmod|chown|chgrp|setfacl|icacls|takeown|set-acl)$/;

function dangersOfProgram(name: string, words: readonly Word[]): Danger[] {
  const program = name.toLowerCase();
  if (words.some(({ text }) => /^--(?:help|version)$/.test(text))) return [];
  if (DELETING.test(program)) return ["deletes"];
  if (PERMISSIONS.test(program)) return ["permissions"];
  if (program === "find") return words.some(({ text }) => text === "-delete") ? ["deletes"] : [];
  if (program === "git") return dangersOfGit(words);
  return installs(program, words) ? ["installs"] : [];
}

/** For each package manager, the verbs that install. */
const INSTALLING: ReadonlyMap<string, RegExp> = new Map([
  ...["npm", "pnpm", "bun"].map((name): [string, RegExp] => [name, /^(?:install|i|add|ci)$/]),
  ["yarn", /^(?:install|add)$/],
  ...["pip", "pipx", "gem", "cargo", "brew", "go"].map((name): [string, RegExp] => [name, /^install$/]),
  ...["apt", "apt-get", "dnf", "yum"].map((name): [string, RegExp] => [name, /^install$/]),
  ["apk", /^add$/],
  ["poetry", /^(?:install|add)$/],
  ["composer", /^(?:install|require)$/],
]);

function installs(program: string, words: readonly Word[]): boolean {
  const [verb] = words.filter(({ text }) => !text.startsWith("-"));
  return verb !== undefined && !verb.unknown && INSTALLING.get(program)?.test(verb.text) === true;
}

function dangersOfGit(words: readonly Word[]): Danger[] {
  const at = subcommandAt(words);
  const rest = words.slice(at + 1);
  const options = optionsOf(rest);
  const has = (pattern: RegExp) => options.some((text) => pattern.test(text));
  switch (words[at]?.text) {
    case "push": {
      if (has(/^(?:-[a-z]*n[a-z]*|--dry-run)$/)) return [];
      const forces = has(
        /^(?:-[a-zA-Z]*[fd][a-zA-Z]*|--(?:force|delete|mirror|prune)|--force-with-lease(?:=.*)?)$/,
      );
      // `+branch` forces, and `:branch` deletes.
      const isForced = operandsOf(rest)
        .slice(1)
        .some(({ text }) => /^[+:]./.test(text));
      return forces || isForced ? ["rewrites-remote"] : [];
    }
    case "clean":
      return has(/^(?:-[a-zA-Z]*n[a-zA-Z]*|--dry-run)$/) ? [] : ["deletes"];
    case "rm":
      return has(/^(?:-[a-zA-Z]*n[a-zA-Z]*|--dry-run|--cached)$/) ? [] : ["deletes"];
    case "reset":
      return has(/^--hard$/) ? ["discards"] : [];
    default:
      return [];
  }
}
