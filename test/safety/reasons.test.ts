/** Every reason of the judges has a code, and words in the user's language: those that the cases bring up, and those in the code. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readReason, reasonRules, reasonText, reasonWords } from "../../src/shared/words/reasons/reasons.ts";
import { translator } from "../../src/shared/words/task-words.ts";
import { CORPORA, loadCorpus } from "./corpus.ts";
import { judgeCommand } from "./judge.ts";

const source = new URL("../../src/core/", import.meta.url);
const bundle: unknown = JSON.parse(
  readFileSync(new URL("../../l10n/bundle.l10n.ja.json", import.meta.url), "utf8"),
);
const t = translator(Object.fromEntries(Object.entries(bundle ?? {})));
const japanese = /[\u3040-\u30ff\u4e00-\u9fff]/;

/** Reasons that a person is not shown: the row says it by itself. */
const untold = /^(?:(?:reading|editing|x) files asks|commands ask|MCP tools ask|web access asks)$/;

function untranslated(reasons: Iterable<string>): string[] {
  return [...reasons].filter((reason) => !untold.test(reason) && !japanese.test(reasonText(t, reason)));
}

function withoutCode(reasons: Iterable<string>): string[] {
  return [...reasons].filter((reason) => reason !== "x files asks" && readReason(reason).code === "other");
}

describe("reasons in Japanese", () => {
  it("of every case", { timeout: 180_000 }, async () => {
    const reasons = new Set<string>();
    for (const { allow, deny, commands } of CORPORA.map(loadCorpus)) {
      for (const [shell, command] of commands) {
        for (const list of [allow, []]) {
          const judged = await judgeCommand(command, { shell, allow: list, deny });
          reasons.add(judged.reason);
        }
      }
    }
    expect(reasons.size).toBeGreaterThan(500);
    expect(withoutCode(reasons)).toEqual([]);
    expect(untranslated(reasons)).toEqual([]);
  });

  it("of every phrase in the code", () => {
    const files = readdirSync(new URL("safety/", source), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => `safety/${name}`);
    const reasons = [...files, "task/permission.ts"].flatMap((name) =>
      phrasesIn(readFileSync(new URL(name, source), "utf8")),
    );
    expect(reasons).toContain("a command in the background");
    expect(reasons).toContain("x may hold secrets");
    expect(withoutCode(new Set(reasons))).toEqual([]);
    expect(untranslated(new Set(reasons))).toEqual([]);
  });
});

describe("the table of reasons", () => {
  it("gives each row a code of its own, in kebab case", () => {
    const codes = reasonRules.map(({ code }) => code);
    expect(codes.filter((code) => !/^[a-z]+(?:-[a-z]+)*$/.test(code))).toEqual([]);
    expect(codes.filter((code, i) => codes.indexOf(code) !== i)).toEqual([]);
    expect(codes).not.toContain("other");
  });

  it("has Japanese words in each row", () => {
    const rows = reasonRules.filter(({ code }) => code !== "none");
    const words = rows.map(({ code }) => reasonWords(t, { code, values: ["x", "y"] }));
    expect(words.filter((text) => !japanese.test(text))).toEqual([]);
  });

  it("takes the values out of a phrase, for its words", () => {
    const { code, values } = readReason(
      "PATH looks for git in the project (bin), so no entry of the list counts",
    );
    expect({ code, values }).toEqual({ code: "program-from-project", values: ["git", "bin"] });
    expect(reasonWords(translator({}), { code, values })).toBe(
      "PATH looks for git in the project (bin), so the allow list does not apply",
    );
  });

  it("shows a phrase that it does not know as it came", () => {
    expect(readReason("something of tomorrow")).toEqual({ code: "other", values: ["something of tomorrow"] });
    expect(reasonText(t, "something of tomorrow")).toBe("something of tomorrow");
    expect(reasonText(t, "commands ask")).toBe("");
  });
});

/** Texts of several words where a reason may stand, with "x" for each value in them. */
function phrasesIn(code: string): string[] {
  const plain = code.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  const literal =
    /(?:return|NotUnderstood\(|ask\(|deny\(|reason:|"(?:ask|deny)",|\?|:|&&|\?\?|\|\||=>|=)\s*(?:"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g;
  return [...plain.matchAll(literal)]
    .filter(
      ({ index }) =>
        !/(?:short|valued|attached|long|longValued|_LONG =|_VALUED =|_TEST =)[:\s]*$/.test(
          plain.slice(0, index + 1),
        ),
    )
    .map(([, quoted, template]) =>
      (quoted ?? template ?? "")
        .replace(/\$\{[^}]*\}/g, "x")
        .replaceAll("\\`", "`")
        .replace(/^x requests/, "3 requests"),
    )
    .filter(
      (text) =>
        /[a-z]{2,} [a-z-]|^x [a-z]{2}/.test(text) &&
        !/: x$|[[\]{}]|\\|^'| (?:is|are) approved$|^it only talks$|^inside the project$|is on the allow list$/.test(
          text,
        ),
    );
}
