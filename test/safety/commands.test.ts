import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { sampled } from "../support/random.ts";
import { CORPORA, countsOf, loadCorpus, meets } from "./corpus.ts";
import { judgeCommand, told } from "./judge.ts";

const table: Record<string, Record<string, number>> = {};

describe.each(CORPORA)("commands of %s", (name) => {
  const { allow, deny, commands } = loadCorpus(name);
  const shells = [...new Set(commands.map(([shell]) => shell))];
  it.each(shells)("in %s: none that must ask runs, none that is harmless asks", async (shell) => {
    const wrong: string[] = [];
    for (const [of, command, expected] of commands) {
      if (of !== shell) continue;
      const judged = await judgeCommand(command, { shell, allow, deny });
      if (!meets(expected, judged.verdict))
        wrong.push(`${JSON.stringify(command)}: ${judged.verdict}, not ${expected} (${told(judged.reason)})`);
      const row = table[`${name} ${shell}`] ?? { allow: 0, ask: 0, deny: 0, wrong: 0 };
      table[`${name} ${shell}`] = row;
      row[expected] = (row[expected] ?? 0) + 1;
      row.wrong = wrong.length;
    }
    expect(wrong).toEqual([]);
  });
});

describe("the corpus", () => {
  it("has at least as many cases of our own, and no verdict without a reason", async () => {
    const [shared, own] = [loadCorpus("safety-cases.json"), loadCorpus("own-cases.json")];
    expect(own.commands.length).toBeGreaterThan(shared.commands.length);
    expect(own.paths.length).toBeGreaterThan(shared.paths.length);
    for (const [shell, command] of own.commands) {
      expect((await judgeCommand(command, { shell, allow: own.allow, deny: own.deny })).reason.code).not.toBe(
        "none",
      );
    }
  });

  it("is counted in docs/figures.md as it is", () => {
    const kinds = CORPORA.map(loadCorpus).flatMap((corpus) =>
      Object.entries({ ...corpus.kinds, ...corpus.pathKinds }),
    );
    const rows = kinds.map(([kind, cases]) => {
      const { allow, ask, deny } = countsOf(cases);
      return `| ${kind} | ${allow} | ${ask} | ${deny} | 0 |`;
    });
    const text = readFileSync(new URL("../../docs/figures.md", import.meta.url), "utf8");
    expect(rows.filter((row) => !text.includes(row))).toEqual([]);
  });

  it("asks for everything when nothing is allowed", async () => {
    const commands = sampled(
      CORPORA.flatMap((name) => loadCorpus(name).commands),
      8,
      ([shell]) => shell,
    );
    for (const [shell, command] of commands) {
      expect((await judgeCommand(command, { shell, allow: [], deny: [] })).verdict, command).toBe("ask");
    }
  });
});

afterAll(() => console.table(table));
