/** What the judge allows is run by real shells: they start the programs that were judged, with those words, and change nothing. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
  const cases = corpora.flatMap(({ allow, deny, commands }) =>
    commands
      .filter(([shell, , expected]) => shell === kind && expected === "allow")
      .map(([, command]) => ({ command, allow, deny })),
  );
  let scratch: Scratch;
  beforeAll(async () => {
    scratch = await createScratch(programs, kind, path);
  });
  afterAll(() => scratch.dispose());

  it("it starts exactly the words that were judged", { timeout: 60_000 }, async () => {
    await inParallel(cases, 4, async ({ command, allow, deny }) => {
      const judged = await judgeCommand(command, { shell: kind, allow, deny });
      const started = (await scratch.record(command)).filter((words) => !ITS_OWN.test(words[0] ?? ""));
      const expected = (judged.words ?? []).filter((words) => !ITS_OWN.test(words[0] ?? ""));
      const left = expected.map((words) => words.join("\0"));
      for (const words of started) {
        expect(words[0], command).not.toBe("UNEXPECTED");
        const at = expected.findIndex((each, i) => left[i] !== "" && startedAs(each, words));
        expect(at, `${command} started ${JSON.stringify(words)}`).toBeGreaterThanOrEqual(0);
        left[at] = "";
      }
      // Behind || and && some may rightly not start, and zsh starts nothing where a pattern matches nothing.
      if (!/\|\||&&|^!/.test(command) && !(kind !== "bash" && /[*?[]/.test(command)))
        expect(
          left.filter((each) => each !== ""),
          command,
        ).toEqual([]);
    });
  });

  it("changes no file and shows no secret", { timeout: 120_000 }, async () => {
    const before = await scratch.snapshot();
    await inParallel(cases, 4, async ({ command }) => {
      // Whoever lists these lets them change files.
      if (/tail -f|^(?:cp|mv|touch|mkdir) /.test(command)) return;
      const output = await scratch.run(command);
      if (!/grep -rn|--hidden/.test(command)) expect(output, command).not.toContain("canary-in-env");
    });
    expect(await scratch.snapshot()).toBe(before);
  });
});

/** Word for word, except where the shell expands what the judge left as written: globs, ~ and known variables. */
function startedAs(judged: string[], started: string[]): boolean {
  const expands = judged.some((word) => /[*?[$~]/.test(word));
  return expands ? judged[0] === started[0] : judged.join("\0") === started.join("\0");
}
