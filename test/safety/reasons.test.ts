/** Every reason has words in Japanese, and the reasons that the judges give are those of the table. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { reasonSchema, shownResultSchema } from "../../src/shared/message.ts";
import { reasonOf } from "../../src/shared/reason.ts";
import { faultWords } from "../../src/shared/words/reasons/fault-reasons.ts";
import {
  reasonInEnglish,
  reasonTable,
  reasonText,
  reasonWords,
  refusalText,
} from "../../src/shared/words/reasons/reasons.ts";
import { translator } from "../../src/shared/words/task-words.ts";
import { isWhole, sampled } from "../support/random.ts";
import { CORPORA, loadCorpus } from "./corpus.ts";
import { judgeCommand } from "./judge.ts";

const bundle: unknown = JSON.parse(
  readFileSync(new URL("../../l10n/bundle.l10n.ja.json", import.meta.url), "utf8"),
);
const t = translator(Object.fromEntries(Object.entries(bundle ?? {})));
const JAPANESE = /[\u3040-\u30ff\u4e00-\u9fff]/;

/** A reason of each code, with as many values as its words take. */
const all = Object.entries(reasonTable).map(([code, { length }]) => ({
  code,
  values: Array.from({ length: Math.max(0, length - 1) }, (_, i) => `<${i}>`),
}));
it("the table of reasons gives each a code in kebab case", () => {
  expect(all.length).toBeGreaterThan(100);
  expect(all.filter(({ code }) => !/^[a-z]+(?:-[a-z]+)*$/.test(code))).toEqual([]);
});

it("each has words in Japanese, and in English", () => {
  const told = all.filter(({ code }) => code !== "none" && code !== "system-error");
  expect(told.filter((reason) => !JAPANESE.test(reasonWords(t, reason)))).toEqual([]);
  expect(told.filter((reason) => JAPANESE.test(reasonInEnglish(reason)))).toEqual([]);
});

it("a fault has at most one value, so that a notice can carry it", () => {
  expect(Object.values(faultWords).filter(({ length }) => length > 2)).toEqual([]);
});

it("the words of each show the values that they take", () => {
  const missing = all.filter((reason) =>
    reason.values.some((value) => !reasonInEnglish(reason).includes(value)),
  );
  expect(missing).toEqual([]);
});

it("every reason that the cases bring up crosses as it is, and is in the table", {
  timeout: 180_000,
}, async () => {
  const reasons = new Set<string>();
  const found = new Set<string>();
  for (const { allow, deny, commands } of CORPORA.map(loadCorpus)) {
    for (const [shell, command] of sampled(commands, 6, ([kind, , expected]) => `${kind} ${expected}`)) {
      for (const list of [allow, []]) {
        const { reason } = await judgeCommand(command, { shell, allow: list, deny });
        expect(reasonSchema.parse(JSON.parse(JSON.stringify(reason)))).toEqual(reason);
        reasons.add(JSON.stringify(reason));
        found.add(reason.code);
      }
    }
  }
  expect(reasons.size).toBeGreaterThan(isWhole ? 500 : 150);
  expect(found.size).toBeGreaterThan(isWhole ? 50 : 40);
  expect([...found].filter((code) => !(code in reasonTable))).toEqual([]);
});

it("a refusal keeps its reason in the session, and shows that of another version as it is", () => {
  const { reason } = shownResultSchema.parse({ text: "x", reason: reasonOf("deny-listed", "git push") });
  expect(refusalText(t, { reason })).toBe("実行しませんでした: git push は拒否リストにあります");
  expect(refusalText(t, shownResultSchema.parse({ text: "x" }))).toBeUndefined();
  const later = shownResultSchema.parse({ reason: { code: "something-of-tomorrow", values: ["x"] } });
  expect(refusalText(t, later)).toBe("実行しませんでした: something-of-tomorrow x");
});

describe("the words of an approval", () => {
  it("are in the user's language", () => {
    expect(reasonText(t, reasonOf("outside-project", "/etc/hosts"))).toBe(
      "/etc/hosts はプロジェクトの外にあります",
    );
    expect(reasonInEnglish(reasonOf("program-from-project", "git", "bin"))).toBe(
      "PATH includes a folder of the project (bin) that is searched for git, so the allow list does not apply",
    );
  });

  it("are left out where they only repeat what kind of call asks", () => {
    expect(reasonText(t, reasonOf("commands-ask"))).toBe("");
    expect(reasonWords(t, reasonOf("commands-ask"))).toMatch(JAPANESE);
  });
});
