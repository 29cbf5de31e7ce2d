/** Every reason of the judges has words in the person's language: those that the cases bring up, and those in the code. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { translator } from "../../src/shared/texts.ts";
import { reasonText } from "../../webview-ui/text/reasons.ts";
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

describe("reasons in Japanese", () => {
  it("of every case", async () => {
    const reasons = new Set<string>();
    for (const { allow, deny, commands } of CORPORA.map(loadCorpus)) {
      for (const [shell, command] of commands) {
        for (const list of [allow, []]) {
          const judged = await judgeCommand(command, { shell, allow: list, deny });
          if (judged.verdict !== "allow") reasons.add(judged.reason);
        }
      }
    }
    expect(reasons.size).toBeGreaterThan(500);
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
    expect(untranslated(new Set(reasons))).toEqual([]);
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
