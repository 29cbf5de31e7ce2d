/**
 * What the judge allows is run by real shells: they start the programs that were judged, with those words, and change nothing.
 * Cases of the corpora, and commands of the words of such cases at random.
 */
import { readdir, readlink, realpath } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { judgePath } from "../../src/core/safety/paths/judge-path.ts";
import { Random, rounds, sampled, seedOf } from "../support/random.ts";
import { posixShells } from "../support/shells.ts";
import { CORPORA, loadCorpus } from "./corpus.ts";
import { judgeCommand } from "./judge.ts";
import { createScratch, type Scratch } from "./scratch.ts";

const corpora = CORPORA.map(loadCorpus);
const seed = seedOf("allowed-is-run");

/** Words that shells have for themselves: no recorder can stand for them. */
const ITS_OWN = /^(?:cd|command|builtin|type|\[|\[\[|time|set|string|count|math|contains|more)$/;

const programs = [
  ...new Set(corpora.flatMap(({ allow }) => allow.map((entry) => entry.split(" ")[0] ?? ""))),
].filter((name) => !ITS_OWN.test(name));

/** Whoever lists these lets them change files, if only a cache of their own, or wait for ever. */
const UNLIKE_READING = /tail .*(?:-\w*[fF]|--)|^(?:cp|mv|touch|mkdir|sleep) |^rubocop\b/;
/** Commands that show whole folders: the corpora list the programs, and no judge looks at this folder. */
const SHOWS_FOLDER = /grep -rn|--hidden/;

interface Case {
  command: string;
  allow: string[];
  deny: string[];
}

describe.each(posixShells)(`allowed commands, run by $name (NEKODE_SEED=${seed})`, ({ name, path }) => {
  const kind = name === "zsh" || name === "fish" || name === "sh" ? name : "bash";
  const all = corpora.flatMap(({ allow, deny, commands }) =>
    commands
      .filter(([shell]) => shell === kind)
      .map(([, command, expected]) => ({ command, allow, deny, expected })),
  );
  let scratch: Scratch;
  beforeAll(async () => {
    scratch = await createScratch(programs, kind, path);
    // fish makes folders for itself when it is first started.
    await scratch.run(["true"]);
  });
  afterAll(() => scratch.dispose());

  /** The cases start exactly the words that were judged, change no file and show no secret. */
  async function expectAsJudged(cases: readonly Case[]): Promise<void> {
    const before = await scratch.snapshot();
    for (const group of inGroups(cases)) {
      const recorded = await scratch.record(group.map(({ command }) => command));
      for (const [n, { command, allow, deny }] of group.entries()) {
        const judged = await judgeCommand(command, { shell: kind, allow, deny });
        compare(kind, command, judged.words ?? [], recorded[n] ?? []);
      }
    }
    const commands = cases
      .map(({ command }) => command)
      .filter((command) => !UNLIKE_READING.test(command) && !SHOWS_FOLDER.test(command));
    for (const group of inGroups(commands)) {
      const output = await scratch.run([...group, "echo all of them ran"]);
      expect(output, group.join("\n")).toContain("all of them ran");
      expect(output, group.join("\n")).not.toContain("canary-in-env");
    }
    expect(await scratch.snapshot(), commands.join("\n")).toBe(before);
  }

  it("start the words that were judged, change no file and show no secret", {
    timeout: 120_000,
  }, async () => {
    const allowed = all.filter(({ expected }) => expected === "allow");
    // Of each program's commands some, and of compound ones as well.
    await expectAsJudged(
      sampled(allowed, 24, ({ command }) => `${command.split(" ")[0]} ${/[|&;<>(){}$*?\n]/.test(command)}`),
    );
  });

  it("do so, too, with the words of all cases in any order", { timeout: 600_000 }, async () => {
    const random = new Random(seed);
    const { allow, deny } = loadCorpus("safety-cases.json");
    const words = new Map<string, string[]>();
    for (const { command } of all) {
      const [program = "", ...more] = command.split(" ");
      if (allow.includes(program)) words.set(program, [...(words.get(program) ?? []), ...more]);
    }
    const root = scratch.project;
    const reads = {
      judge: (file: string) => judgePath(file, { root, access: "read", realpath, readlink }),
      list: (folder: string) => readdir(join(root, folder)).catch(() => []),
      git: async () => undefined,
    };
    const wanted = rounds(15, 1_500);
    const cases = new Map<string, Case>();
    for (let tried = 0; cases.size < wanted && tried < 200 * wanted; tried++) {
      const [program, known] = random.pick([...words]);
      const chosen = Array.from({ length: random.int(1, 4) }, () => random.pick(["a.txt", ...known]));
      const command = [program, ...chosen].join(" ");
      const { verdict } = await judgeCommand(command, { shell: kind, allow, deny, reads });
      if (verdict === "allow") cases.set(command, { command, allow, deny });
    }
    await expectAsJudged([...cases.values()]);
  });
});

/** Word for word, except where the shell expands what the judge left as written: globs, ~ and known variables. */
function startedAs(judged: string[], started: string[]): boolean {
  const expands = judged.some((word) => /[*?[$~]/.test(word));
  return expands ? judged[0] === started[0] : judged.join("\0") === started.join("\0");
}

/** The programs that started are those that were judged, with the same words. */
function compare(kind: string, command: string, judged: string[][], recorded: string[][]): void {
  const started = recorded.filter((words) => !ITS_OWN.test(words[0] ?? ""));
  const expected = judged.filter((words) => !ITS_OWN.test(words[0] ?? ""));
  const left = expected.map((words) => words.join("\0"));
  for (const words of started) {
    expect(words[0], command).not.toBe("UNEXPECTED");
    const at = expected.findIndex((each, i) => left[i] !== "" && startedAs(each, words));
    expect(at, `${command} started ${JSON.stringify(words)}`).toBeGreaterThanOrEqual(0);
    left[at] = "";
  }
  // Behind || and && some may rightly not start, and zsh starts nothing where a pattern matches nothing.
  if (/\|\||&&|^!/.test(command) || (kind !== "bash" && /[*?[]/.test(command))) return;
  expect(
    left.filter((each) => each !== ""),
    command,
  ).toEqual([]);
}

/** A shell for each command would take most of the time. */
function inGroups<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / 20) }, (_, n) => items.slice(n * 20, n * 20 + 20));
}
