/** What the judge allows is run by a real bash: it starts the programs that were judged, with those words, and changes nothing. */
import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadCorpus } from "./corpus.ts";
import { judgeCommand } from "./judge.ts";
import { inParallel } from "./parallel.ts";
import { createScratch, type Scratch } from "./scratch.ts";

const corpora = ["safety-cases.json", "own-cases.json"].map(loadCorpus);
const cases = corpora.flatMap(({ allow, deny, commands }) =>
  commands
    .filter(([shell, , expected]) => shell === "bash" && expected === "allow")
    .map(([, command]) => ({ command, allow, deny })),
);
const programs = [
  ...new Set(corpora.flatMap(({ allow }) => allow.map((entry) => entry.split(" ")[0] ?? ""))),
].filter((name) => !/^(?:cd|command|\[)$/.test(name));

let scratch: Scratch;
beforeAll(async () => {
  scratch = await createScratch(programs);
});
afterAll(() => scratch.dispose());

describe.skipIf(!existsSync("/bin/bash"))("allowed commands, run", () => {
  it("bash starts exactly the words that were judged", { timeout: 60_000 }, async () => {
    await inParallel(cases, 4, async ({ command, allow, deny }) => {
      const judged = await judgeCommand(command, { shell: "bash", allow, deny });
      const started = await scratch.record(command);
      const expected = (judged.words ?? []).filter((words) => !/^(?:cd|command)$/.test(words[0] ?? ""));
      const left = expected.map((words) => words.join("\0"));
      for (const words of started) {
        expect(words[0], command).not.toBe("UNEXPECTED");
        const at = expected.findIndex((each, i) => left[i] !== "" && startedAs(each, words));
        expect(at, `${command} started ${JSON.stringify(words)}`).toBeGreaterThanOrEqual(0);
        left[at] = "";
      }
      // Behind || and && some may rightly not start; without those, all do.
      if (!/\|\||&&|^!/.test(command))
        expect(
          left.filter((each) => each !== ""),
          command,
        ).toEqual([]);
    });
  });

  it("changes no file and shows no secret", { timeout: 120_000 }, async () => {
    const before = await scratch.snapshot();
    await inParallel(cases, 4, async ({ command }) => {
      if (command.includes("tail -f")) return;
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
