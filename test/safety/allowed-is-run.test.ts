/** What the judge allows is run by real shells: they start the programs that were judged, with those words, and change nothing. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sampled } from "../support/random.ts";
import { posixShells } from "../support/shells.ts";
import { CORPORA, loadCorpus } from "./corpus.ts";
import { judgeCommand } from "./judge.ts";
import { inParallel } from "./parallel.ts";
import { createScratch, type Scratch } from "./scratch.ts";

const corpora = CORPORA.map(loadCorpus);

/** Words that shells have for themselves: no recorder can stand for them. */
const ITS_OWN = /^(?:cd|command|builtin|type|\[|\[\[|time|set|string|count|math|contains|more)$/;

const programs = [
  ...new Set(corpora.flatMap(({ allow }) => allow.map((entry) => entry.split(" ")[0] ?? ""))),
].filter((name) => !ITS_OWN.test(name));

describe.each(posixShells)("allowed commands, run by $name", ({ name, path }) => {
  const kind = name === "zsh" || name === "fish" || name === "sh" ? name : "bash";
  const all = corpora.flatMap(({ allow, deny, commands }) =>
    commands
      .filter(([shell, , expected]) => shell === kind && expected === "allow")
      .map(([, command]) => ({ command, allow, deny })),
  );
  // Of each program's commands some, and of compound ones as well.
  const cases = sampled(
    all,
    12,
    ({ command }) => `${command.split(" ")[0]} ${/[|&;<>(){}$*?\n]/.test(command)}`,
  );
  let scratch: Scratch;
  beforeAll(async () => {
    scratch = await createScratch(programs, kind, path);
  });
  afterAll(() => scratch.dispose());

  it("it starts exactly the words that were judged", async () => {
    await inParallel(inGroups(cases), 4, async (group) => {
      const recorded = await scratch.record(group.map(({ command }) => command));
      for (const [n, { command, allow, deny }] of group.entries()) {
        const judged = await judgeCommand(command, { shell: kind, allow, deny });
        compare(kind, command, judged.words ?? [], recorded[n] ?? []);
      }
    });
  });

  it("changes no file and shows no secret", { timeout: 120_000 }, async () => {
    const before = await scratch.snapshot();
    // Whoever lists these lets them change files, if only a cache of their own.
    const commands = cases
      .map(({ command }) => command)
      .filter((command) => !/tail -f|^(?:cp|mv|touch|mkdir) |^rubocop\b/.test(command));
    const shows = (command: string) => /grep -rn|--hidden/.test(command);
    const quiet = commands.filter((command) => !shows(command));
    await inParallel([...inGroups(quiet), commands.filter(shows)], 4, async (group) => {
      const output = await scratch.run([...group, "echo all of them ran"]);
      expect(output, group.join("\n")).toContain("all of them ran");
      if (!group.some(shows)) expect(output, group.join("\n")).not.toContain("canary-in-env");
    });
    expect(await scratch.snapshot()).toBe(before);
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
