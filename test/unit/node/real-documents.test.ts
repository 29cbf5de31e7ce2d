/**
 * Documents as other programs write them: a Japanese PDF with an embedded font (printed by Chromium), a workbook with
 * dates and several sheets, and the Word files that mammoth itself is tested with.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { DocumentKind } from "../../../src/core/ports/files.ts";
import { extractText } from "../../../src/node/documents/extract.ts";
import { packedMaps } from "../../support/packed-maps.ts";

const root = path.join(import.meta.dirname, "../../..");
const cmaps = await packedMaps();
const read = (file: string, kind: DocumentKind) =>
  extractText({ bytes: new Uint8Array(readFileSync(path.join(root, file))), kind, cmaps });

describe("documents of other programs", () => {
  it("a PDF in Japanese: text, table and symbols, page by page", async () => {
    const text = await read("test/fixtures/documents/report.pdf", "pdf");
    expect(text.split("\n").filter((line) => line !== "")).toEqual([
      "## Page 1 of 2",
      "月次報告書",
      "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。",
      "品目 数量 単価(円)",
      "煮干し 12 1,280",
      "かつお節 3 980",
      "Mixed text: Nekode v0.1 は「エディターの中」で動きます。半角ｶﾅ、①②③、㈱。",
      "## Page 2 of 2",
      "次のページ",
      "以上、よろしくお願いいたします。",
    ]);
  });

  it("a workbook: dates, numbers, yes and no, an empty row, lines in a cell, every sheet", async () => {
    expect(await read("test/fixtures/documents/sales.xlsx", "xlsx")).toBe(
      [
        "## Sheet 売上 (5 rows)",
        "",
        "日付\t品目\t数量\t単価\t金額\t済",
        "2026-04-01\t煮干し\t12\t1280\t15360\ttrue",
        "2026-04-02 09:30:00\tかつお節\t3\t980.5\t2941.5\tfalse",
        "",
        "合計\t\t\t\t18301.5",
        "",
        "## Sheet メモ (1 rows)",
        "",
        "一行目 二行目",
      ].join("\n"),
    );
  });

  const word = (name: string) => read(`node_modules/mammoth/test/test-data/${name}.docx`, "docx");

  it.each([
    ["tables", "Above\n\n| Top left | Top right |\n| --- | --- |\n| Bottom left | Bottom right |\n\nBelow"],
    ["simple-list", "- Apple\n- Banana"],
    ["underline", "**The Sunset Tree**"],
    ["text-box", "Datum plane"],
    ["strict-format", "Test"],
    ["utf8-bom", "This XML has a byte order mark."],
    ["tiny-picture", "[image]"],
  ])("a Word file: %s", async (name, text) => {
    expect(await word(name)).toBe(text);
  });

  it("a Word file: footnotes", async () => {
    expect(await word("footnotes")).toMatch(/Ouch\[1\]\.\[2\]\n[\s\S]*A tachyon walks into a bar\./);
  });
});
