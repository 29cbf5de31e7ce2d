/** Real texts whose encoding nothing names: what is written to them is right, or refused. */
import { describe, expect, it } from "vitest";
import { changedBytes } from "../../../src/node/files/changed-bytes.ts";
import { bytesOfText } from "../../../src/node/files/encoding/codecs.ts";
import { decode } from "../../../src/node/files/encodings.ts";
import { encodingSamples } from "../../support/encodings/corpus.ts";
import { triedSamples } from "../../support/encodings/tries.ts";

const samples = encodingSamples(2);

it("the samples are many, in many encodings", () => {
  expect(samples.length).toBeGreaterThan(500);
  expect(new Set(samples.map(({ encoding }) => encoding)).size).toBeGreaterThanOrEqual(25);
});

describe("text in the language of the file is added", () => {
  it("in the encoding of the file, or not at all", { timeout: 120_000 }, async () => {
    const { rows, wrong } = await triedSamples(samples.filter((_, at) => at % 2 === 0));
    expect(wrong).toEqual([]);
    const certain = rows.filter(({ encoding }) => /^(?:shiftjis|eucjp|euckr|koi8r|cp866)$/.test(encoding));
    for (const { encoding, added, refused } of certain)
      expect({ encoding, most: added > refused }).toEqual({ encoding, most: true });
  });

  it("never wrongly to a text with a damaged byte", { timeout: 120_000 }, async () => {
    const damaged = samples
      .filter(({ encoding }, at) => at % 5 === 0 && !/^utf|^iso2022/.test(encoding))
      .map((sample) => {
        const middle = sample.bytes.indexOf(10);
        const parts = [sample.bytes.subarray(0, middle), Buffer.from([0x98]), sample.bytes.subarray(middle)];
        return { ...sample, bytes: Buffer.concat(parts) };
      });
    expect((await triedSamples(damaged)).wrong).toEqual([]);
  });
});

it("a few letters are never certain", async () => {
  for (const word of ["Привет", "Вход", "Файл"]) {
    const decoded = await decode(bytesOfText(`// ${word}\n`, "windows1251"));
    expect(decoded).toMatchObject({ alternatives: expect.arrayContaining(["koi8r"]) });
  }
});

it.each([
  ["cp866", "cp1125", "Файл настроек не найден, проверьте его имя.\n", "Вход\n", "ї\n"],
  ["gb18030", "gbk", "配置文件没有找到，请检查文件名称是否正确。\n", "登录\n", "€\n"],
])("%s may be %s, which writes some characters otherwise", async (encoding, twin, text, same, other) => {
  const bytes = bytesOfText(text.repeat(4), encoding);
  const decoded = await decode(bytes);
  if (decoded.kind !== "text") throw new Error("binary");
  expect(decoded).toMatchObject({ encoding, text: text.repeat(4), alternatives: [twin] });
  const added = changedBytes(bytes, decoded, decoded.text + same);
  expect(added.ok && Buffer.from(added.bytes)).toEqual(Buffer.concat([bytes, bytesOfText(same, encoding)]));
  const refused = changedBytes(bytes, decoded, decoded.text + other);
  expect(refused).toMatchObject({ ok: false, message: expect.stringContaining("not certain") });
});

it("a wave dash does not make EUC-JP another encoding", async () => {
  const text = `${"設定を読み込む処理です。\n".repeat(3)}1〜2\n`.replace("〜", "\uff5e");
  const bytes = bytesOfText(text, "eucjp");
  expect(bytes.toString("hex")).toContain("a1c1");
  const decoded = await decode(bytes);
  expect(decoded).toMatchObject({ encoding: "eucjp", exact: true, alternatives: [], text });
});

it.each([
  ["eucjp", [0xf9, 0xa1]],
  ["shiftjis", [0xed, 0x40]],
  ["shiftjis", [0x87, 0x90]],
  ["shiftjis", [0xf0, 0x40]],
])("%s with a character that is written otherwise keeps it (%j)", async (encoding, character) => {
  const before = bytesOfText(`${"設定を読み込む処理です。\n".repeat(5)}`, encoding);
  const bytes = Buffer.concat([before, Buffer.from(character), Buffer.from("\nend\n")]);
  const decoded = await decode(bytes);
  if (decoded.kind !== "text") throw new Error("binary");
  expect(decoded.encoding).toBe(encoding);
  const changed = changedBytes(bytes, decoded, decoded.text.replace("end\n", "end\n終わり\n"));
  const added = Buffer.concat([bytes, bytesOfText("終わり\n", encoding)]);
  // What is not certain may be refused, but is never written otherwise.
  if (changed.ok) expect(Buffer.from(changed.bytes)).toEqual(added);
  else expect(decoded.alternatives).not.toEqual([]);
});

it.each([
  ["a few words", "見出し\nここ\n"],
  ["accents", "été à Orléans, déjà\n"],
  ["a long text", "これは日本語の文章です。\n".repeat(200)],
])("a stray byte in UTF-8 stays where it is: %s", async (_, text) => {
  const bytes = Buffer.concat([Buffer.from(text), Buffer.from([0x93]), Buffer.from(" x\nlast\n")]);
  const decoded = await decode(bytes);
  if (decoded.kind !== "text") throw new Error("binary");
  expect(decoded).toMatchObject({ encoding: "utf8", exact: false });
  const changed = changedBytes(bytes, decoded, decoded.text.replace(" x\nlast", " y\nlast 終"));
  const expected = Buffer.concat([Buffer.from(text), Buffer.from([0x93]), Buffer.from(" y\nlast 終\n")]);
  expect(changed.ok && Buffer.from(changed.bytes)).toEqual(expected);
});

it("ISO-2022-JP is known by its escape sequences", async () => {
  const text = "// 設定を読み込む\nint a = 1;\n";
  const bytes = bytesOfText(text, "iso2022jp");
  const decoded = await decode(bytes);
  expect(decoded).toMatchObject({ encoding: "iso2022jp", exact: true, alternatives: [], text });
  if (decoded.kind !== "text") throw new Error("binary");
  const changed = changedBytes(bytes, decoded, `${text}// 追加\n`);
  expect(changed).toMatchObject({ ok: true });
  expect(changed.ok && Buffer.from(changed.bytes).toString("latin1")).toContain("// \x1b$BDI2C\x1b(B\n");
  expect(await decode(Buffer.from("\x1b[31mred\x1b[0m\n"))).toMatchObject({ encoding: "utf8" });
});
