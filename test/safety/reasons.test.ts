/** Every reason has words in Japanese, and the reasons that the judges give are those of the table. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { shownResultSchema } from "../../src/shared/message.ts";
import {
  commandReasons,
  faultReasons,
  fileReasons,
  ordinaryReasons,
  policyReasons,
  type ReasonCode,
  reasonOf,
  reasonSchema,
  syntaxReasons,
} from "../../src/shared/reason.ts";
import {
  reasonInEnglish,
  reasonText,
  reasonWords,
  refusalText,
} from "../../src/shared/words/reasons/reasons.ts";
import { translator } from "../../src/shared/words/task-words.ts";
import { CORPORA, loadCorpus } from "./corpus.ts";
import { judgeCommand } from "./judge.ts";

const bundle: unknown = JSON.parse(
  readFileSync(new URL("../../l10n/bundle.l10n.ja.json", import.meta.url), "utf8"),
);
const t = translator(Object.fromEntries(Object.entries(bundle ?? {})));
const japanese = /[\u3040-\u30ff\u4e00-\u9fff]/;

/** A reason of each code, its values named as in the table. */
const all = [ordinaryReasons, policyReasons, syntaxReasons, fileReasons, commandReasons, faultReasons]
  .flatMap((codes: Record<string, readonly string[]>) => Object.entries(codes))
  .map(([code, names]) => reasonSchema.parse({ code, values: names.map((name) => `<${name}>`) }));
const codes = all.map(({ code }) => code);

it("the table of reasons gives each a code in kebab case", () => {
  expect(codes.filter((code) => !/^[a-z]+(?:-[a-z]+)*$/.test(code))).toEqual([]);
  expect(codes.filter((code, i) => codes.indexOf(code) !== i)).toEqual([]);
});

it("each has words in Japanese, and in English", () => {
  const told = all.filter(({ code }) => code !== "none" && code !== "system-error");
  expect(told.filter((reason) => !japanese.test(reasonWords(t, reason)))).toEqual([]);
  expect(told.filter((reason) => japanese.test(reasonInEnglish(reason)))).toEqual([]);
});

it("a fault has at most one value, so that a notice can carry it", () => {
  expect(Object.values(faultReasons).filter(({ length }) => length > 1)).toEqual([]);
});

/** Their words say enough without the sign, the shell's word or the program that is at fault. */
const leavesOut = new Set<ReasonCode>(["unexpected-sign", "unquoted-sign", "missing-argument"]);

it("the words of each show its values", () => {
  const missing = all
    .filter(({ code }) => !leavesOut.has(code))
    .filter((reason) => reason.values.some((value) => !reasonInEnglish(reason).includes(value)));
  expect(missing).toEqual([]);
});

describe("the schema of reasons", () => {
  it.each([
    { code: "something-of-tomorrow", values: [] },
    { code: "not-listed", values: [] },
    { code: "not-listed", values: ["a", "b"] },
    { code: "not-listed", values: [1] },
    { code: "toString", values: [] },
    "commands ask",
  ])("takes no %j", (value) => {
    expect(reasonSchema.safeParse(value).success).toBe(false);
  });

  it("takes every reason that the cases bring up", { timeout: 180_000 }, async () => {
    const reasons = new Set<string>();
    const codes = new Set<string>();
    for (const { allow, deny, commands } of CORPORA.map(loadCorpus)) {
      for (const [shell, command] of commands) {
        for (const list of [allow, []]) {
          const { reason } = await judgeCommand(command, { shell, allow: list, deny });
          expect(reasonSchema.parse(JSON.parse(JSON.stringify(reason)))).toEqual(reason);
          reasons.add(JSON.stringify(reason));
          codes.add(reason.code);
        }
      }
    }
    expect(reasons.size).toBeGreaterThan(500);
    expect(codes.size).toBeGreaterThan(50);
  });
});

it("a stored refusal of another version is read without its reason", () => {
  const shown = { text: "refused", reason: { code: "something-of-tomorrow", values: ["x"] } };
  expect(shownResultSchema.parse(shown)).toEqual({ text: "refused", reason: undefined });
  expect(shownResultSchema.parse({ text: "refused" })).toEqual({ text: "refused" });
  const reason = reasonOf("deny-listed", "git push");
  expect(shownResultSchema.parse({ reason })).toEqual({ reason });
  expect(refusalText(t, { reason })).toBe("実行しませんでした: git push は拒否リストにあります");
});

describe("the words of an approval", () => {
  it("are in the user's language", () => {
    expect(reasonText(t, reasonOf("outside-project", "/etc/hosts"))).toBe(
      "/etc/hosts はプロジェクトの外にあります",
    );
    expect(reasonInEnglish(reasonOf("program-from-project", "git", "bin"))).toBe(
      "PATH looks for git in the project (bin), so the allow list does not apply",
    );
  });

  it("are left out where they only repeat what kind of call asks", () => {
    expect(reasonText(t, reasonOf("commands-ask"))).toBe("");
    expect(reasonWords(t, reasonOf("commands-ask"))).toMatch(japanese);
  });
});
