/** PDF, Word and Excel files made by hand, damaged ones, bombs; and the thread that reads them, as it ships. */
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundles } from "../../../esbuild.mjs";
import { Interrupt, ToolError } from "../../../src/core/errors.ts";
import type { DocumentKind } from "../../../src/core/ports/files.ts";
import { createDocuments } from "../../../src/node/documents/document-reader.ts";
import { extractText, markdownOf } from "../../../src/node/documents/extract.ts";
import { mapReader } from "../../../src/node/documents/pdf.ts";
import { refuseBomb } from "../../../src/node/documents/zip.ts";
import { docx, JAPANESE_FONT, paragraph, pdf, xlsx, zip } from "../../support/office-files.ts";
import { packedMaps } from "../../support/packed-maps.ts";

const cmaps = await packedMaps();
const extract = (bytes: Uint8Array, kind: DocumentKind) => extractText({ bytes, kind, cmaps });
const row = (...cells: string[]) =>
  `<w:tr>${cells.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join("")}</w:tr>`;

describe("documents", () => {
  it("reads the pages of a PDF, line by line", async () => {
    const bytes = pdf([
      "BT /F1 12 Tf 20 200 Td (The cat sat) Tj 0 -20 Td (on the mat.) Tj ET",
      "BT /F1 12 Tf 20 200 Td (Second page) Tj ET",
    ]);
    const text = await extract(bytes, "pdf");
    expect(text).toBe("## Page 1 of 2\n\nThe cat sat\non the mat.\n\n## Page 2 of 2\n\nSecond page");
  });

  it("reads Japanese in an encoding that the file only names", async () => {
    const bytes = pdf(["BT /F1 12 Tf 20 200 Td <8CE1947982CD944C82C582A082E9> Tj ET"], JAPANESE_FONT);
    expect(await extract(bytes, "pdf")).toContain("吾輩は猫である");
  });

  it("packs each character map as pdf.js has it, and none of another name", async () => {
    const source = path.join(import.meta.dirname, "../../../node_modules/pdfjs-dist/cmaps");
    const reader = new (mapReader(cmaps))();
    const names = readdirSync(source).filter((name) => /^(?!.*UTF(8|32)).*\.bcmap$/.test(name));
    expect(names.length).toBeGreaterThan(100);
    for (const file of names) {
      const { cMapData } = await reader.fetch({ name: path.basename(file, ".bcmap") });
      expect(Buffer.from(cMapData).equals(readFileSync(path.join(source, file))), file).toBe(true);
    }
    await expect(reader.fetch({ name: "../LICENSE" })).rejects.toThrow("no such character map");
  });

  it("reads headings, lists and tables of a Word document", async () => {
    const body = [
      paragraph("Plan", "Heading1"),
      paragraph("Cats &amp; dogs &lt;both&gt;"),
      `<w:tbl>${row("name", "age")}${row("猫", "3")}</w:tbl>`,
      paragraph("end"),
    ].join("");
    expect(await extract(docx(body), "docx")).toBe(
      "# Plan\n\nCats & dogs <both>\n\n| name | age |\n| --- | --- |\n| 猫 | 3 |\n\nend",
    );
  });

  it("keeps the signs of Markdown in the text of a Word document", async () => {
    expect(await extract(docx(paragraph("1. snake_case [x] *y*")), "docx")).toBe("1. snake_case [x] *y*");
    const form = `<w:p><w:r><w:t>Name:</w:t><w:tab/><w:t>Taro</w:t><w:tab/></w:r></w:p>${paragraph("a  b   c")}`;
    expect(await extract(docx(form), "docx")).toBe("Name:\tTaro\n\na  b   c");
  });

  it("turns lists into Markdown", () => {
    expect(markdownOf("<ol><li>a<ul><li>b</li></ul></li><li>c</li></ol><p>d</p>")).toBe(
      "1. a\n    - b\n2. c\n\nd",
    );
  });

  it("reads the rows of a workbook", async () => {
    const bytes = xlsx("Cats", [["name", "age"], ["猫\nneko", 3.5], [], ["end"]]);
    expect(await extract(bytes, "xlsx")).toBe("## Sheet Cats (4 rows)\n\nname\tage\n猫 neko\t3.5\n\nend");
  });

  const damaged: [string, Uint8Array, DocumentKind, RegExp][] = [
    ["a PDF that is none", new TextEncoder().encode("%PDF-1.4 nothing"), "pdf", /damaged/],
    ["a Word document that is none", new TextEncoder().encode("PK\u0003\u0004 nothing"), "docx", /damaged/],
    ["an archive without a document", zip({ "a.txt": "a" }), "docx", /./],
    ["a torn archive", zip({ "a.txt": "a".repeat(9_000) }).slice(0, 60), "xlsx", /damaged/],
    ["a PDF without text", pdf(["0 0 10 10 re f"]), "pdf", /no text/],
  ];
  for (const [what, bytes, kind, said] of damaged) {
    it(`says what is wrong with ${what}`, async () => {
      await expect(extract(bytes, kind)).rejects.toThrow(said);
    });
  }

  it("refuses an archive that unpacks to more than it says", () => {
    const bomb = zip({ "word/document.xml": new Uint8Array(3_000_000) }, 100);
    expect(bomb.length).toBeLessThan(10_000);
    expect(() => refuseBomb(bomb, 4_000_000)).not.toThrow();
    expect(() => refuseBomb(bomb, 2_000_000)).toThrow(/unpacks to more than 2 MB/);
  });
});

describe("the documents' thread", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "nekode-documents-"));
    const bundle = bundles().find(({ name }) => name === "documents");
    await build({
      ...bundle?.options,
      entryPoints: [bundle?.entry ?? ""],
      outfile: path.join(folder, "documents.js"),
      sourcemap: false,
    });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const never = new AbortController().signal;

  it("reads one of each kind", async () => {
    const documents = createDocuments(folder);
    const [first, second, third] = await Promise.all([
      documents.extract(pdf(["BT /F1 12 Tf 20 200 Td (cat) Tj ET"]), "pdf", never),
      documents.extract(docx(paragraph("cat")), "docx", never),
      documents.extract(xlsx("S", [["cat"]]), "xlsx", never),
    ]);
    expect([first, second, third]).toEqual(["## Page 1 of 1\n\ncat", "cat", "## Sheet S (1 rows)\n\ncat"]);
  });

  it("tells what is wrong as a ToolError", async () => {
    const extracting = createDocuments(folder).extract(new Uint8Array(10), "docx", never);
    await expect(extracting).rejects.toThrow(ToolError);
    await expect(extracting).rejects.toThrow(/damaged/);
  });

  it("ends when the user stops", async () => {
    const controller = new AbortController();
    const extracting = createDocuments(folder).extract(docx(paragraph("cat")), "docx", controller.signal);
    controller.abort();
    await expect(extracting).rejects.toThrow(Interrupt);
  });

  it("says so where it is not installed", async () => {
    const extracting = createDocuments(path.join(folder, "nowhere")).extract(new Uint8Array(1), "pdf", never);
    await expect(extracting).rejects.toThrow(/does not include the reader/);
  });
});
