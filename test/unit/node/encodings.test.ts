import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import { applySearchReplace } from "../../../src/core/edits/apply-blocks.ts";
import { type DecodedText, decode, encode, encodingName } from "../../../src/node/files/encodings.ts";

async function text(bytes: Uint8Array, named?: string): Promise<DecodedText> {
  const decoded = await decode(bytes, { named });
  if (decoded.kind !== "text") throw new Error("taken for binary");
  return decoded;
}

const JAPANESE = [
  "\u8a2d\u5b9a",
  "// \u8a2d\u5b9a\u3092\u8aad\u307f\u8fbc\u3080\nconst a = 1;\n",
  "\u543e\u8f29\u306f\u732b\u3067\u3042\u308b\u3002\u540d\u524d\u306f\u307e\u3060\u7121\u3044\u3002\n",
  "\u30a8\u30e9\u30fc",
  "\uff76\uff80\uff76\uff85 \uff83\uff7d\uff84",
  "\u6ce8\u610f: \u5909\u66f4\u7981\u6b62\r\n",
  "# \u5408\u8a08\nx = 1\n",
  "\u6771\u4eac\u90fd",
  'printf("\u3053\u3093\u306b\u3061\u306f\\n");',
  "\u8868\u793a \u30bd\u30fc\u30b9 \u80fd\u529b",
  "\u203b\u91cd\u8981",
  "\u7533\u8acb\u66f8\u985e\u4e00\u89a7",
  "int x; // \u500b\u6570\n",
];
const CHINESE = [
  "// \u8bbe\u7f6e\u9ed8\u8ba4\u503c\nint a;\n",
  "\u4f60\u597d",
  "\u6ce8\u91ca\uff1a\u8fd9\u91cc\u4e0d\u8981\u4fee\u6539",
  "\u8fd4\u56de\u9519\u8bef\u4ee3\u7801",
  "\u6570\u636e\u5e93\u8fde\u63a5\u5931\u8d25",
  "\u7528\u6237\u540d \u914d\u7f6e\u6587\u4ef6",
];
const WESTERN = [
  "caf\u00e9",
  "na\u00efve r\u00e9sum\u00e9",
  "Gr\u00f6\u00dfe",
  "// \u00fcberpr\u00fcfen\r\nint x;\r\n",
  "\u00a9 2020 Foo",
  "it\u2019s \u201cquoted\u201d",
  "se\u00f1or \u2013 ni\u00f1o",
  "100 \u20ac",
  "x = '\u00e4';\n",
  "\u00c7a va",
  "d\u00e9j\u00e0 vu \u00e0 la carte",
];

describe("what bytes are", () => {
  test.each([
    ["shiftjis", JAPANESE, "shiftjis"],
    ["eucjp", JAPANESE, "eucjp"],
    ["gbk", CHINESE, "gb18030"],
    ["windows1252", WESTERN, "windows1252"],
    [
      "windows1251",
      [
        "\u041f\u0440\u0438\u0432\u0435\u0442, \u043c\u0438\u0440",
        "// \u043d\u0430\u0441\u0442\u0440\u043e\u0439\u043a\u0430\nint a;\n",
      ],
      "windows1251",
    ],
    ["euckr", ["\uc548\ub155\ud558\uc138\uc694", "// \uc124\uc815 \uac12\n"], "euckr"],
  ])("short texts in %s", async (encoding, samples, expected) => {
    for (const sample of samples) {
      const bytes = iconv.encode(sample, encoding);
      const decoded = await text(bytes);
      expect({ sample, encoding: decoded.encoding, text: decoded.text, exact: decoded.exact }).toEqual({
        sample,
        encoding: expected,
        text: sample,
        exact: true,
      });
      expect(encode(decoded.text, decoded)).toEqual({ ok: true, bytes: new Uint8Array(bytes) });
    }
  });

  test("one comment at the end of a long file decides", async () => {
    const source = `${"int a = 1;\r\n".repeat(8_000)}// \u5909\u66f4\u7981\u6b62\r\n`;
    expect(await text(iconv.encode(source, "shiftjis"))).toMatchObject({
      encoding: "shiftjis",
      text: source,
      exact: true,
    });
  });

  test.each([
    ["utf8", false],
    ["utf8", true],
    ["utf16le", true],
    ["utf16be", true],
    ["utf16le", false],
    ["utf16be", false],
  ])("%s, mark %s", async (encoding, bom) => {
    const source = "line \u3042 \ud83d\ude00\r\ntwo\n";
    const written = encode(source, { encoding, bom });
    if (!written.ok) throw new Error(written.message);
    expect(await text(written.bytes)).toMatchObject({
      encoding,
      bom,
      text: source,
      exact: true,
      eol: { mixed: true },
    });
  });

  test("NUL bytes and control characters are binary, an empty file is text", async () => {
    expect(await decode(new Uint8Array([0x50, 0x4b, 3, 4, 0, 0, 8]))).toEqual({ kind: "binary" });
    expect(await decode(Uint8Array.from({ length: 256 }, (_, at) => at))).toEqual({ kind: "binary" });
    expect(await decode(Uint8Array.from({ length: 200 }, (_, at) => (at % 30) + 1))).toEqual({
      kind: "binary",
    });
    expect(await text(new Uint8Array())).toMatchObject({ text: "", encoding: "utf8", exact: true });
  });

  test("UTF-8 with a broken byte can be read but is not exact", async () => {
    const good = Buffer.from(
      "\u65e5\u672c\u8a9e\u306e\u30c6\u30ad\u30b9\u30c8\u3067\u3059\u3001\u307e\u3060\u7d9a\u304f\n",
    );
    expect(await text(Buffer.concat([good, Buffer.from([0xff]), good]))).toMatchObject({
      encoding: "utf8",
      exact: false,
    });
    const odd = Buffer.concat([
      Buffer.from([0xff, 0xfe]),
      Buffer.from("a\n", "utf16le"),
      Buffer.from([0x61]),
    ]);
    expect(await text(odd)).toMatchObject({ encoding: "utf16le", exact: false });
  });

  test("what counts as exact gives its bytes back, also where an encoding has a character twice", async () => {
    // Shift JIS has U+7E8A at ED 40 and at FA 5C, and writes the latter.
    const twice = Buffer.concat([
      iconv.encode("\u8a2d\u5b9a\u3092\u8aad\u307f\u8fbc\u3080", "shiftjis"),
      Buffer.from([0xed, 0x40]),
    ]);
    for (const preferred of [undefined, "shiftjis"]) {
      const decoded = await text(twice, preferred);
      if (decoded.exact)
        expect(encode(decoded.text, decoded)).toEqual({ ok: true, bytes: new Uint8Array(twice) });
      expect(decoded).not.toMatchObject({ encoding: "shiftjis", exact: true });
    }
  });

  test("the editor's setting goes before the guess where it gives the bytes back", async () => {
    const bytes = iconv.encode("\u00e9t\u00e9", "windows1252");
    expect(await text(bytes, "windows1250")).toMatchObject({ encoding: "windows1250", exact: true });
    expect(await text(bytes, "utf8")).toMatchObject({ encoding: "windows1252" });
    expect((await text(Buffer.from("\u00e9"), "shiftjis")).encoding).toBe("shiftjis");
    expect((await text(Buffer.from("a"), "shiftjis")).encoding).toBe("utf8");
    expect((await text(bytes, "no such thing")).encoding).toBe("windows1252");
  });
});

describe("writing back", () => {
  test("a character that the encoding lacks is named with its place", async () => {
    expect(encode("a\nb \u732b", { encoding: "windows1252", bom: false })).toMatchObject({
      ok: false,
      character: "\u732b",
      line: 2,
      column: 3,
    });
    const wave = encode("1 \u301c 2", { encoding: "shiftjis", bom: false });
    expect(!wave.ok && wave.message).toMatch(/U\+301C.*Shift JIS.*Use "\uff5e" instead/);
    expect(encode("\u00a5", { encoding: "shiftjis", bom: false })).toMatchObject({
      ok: false,
      character: "\u00a5",
    });
    expect(encode("a\ud800", { encoding: "utf8", bom: false })).toMatchObject({
      ok: false,
      line: 1,
      column: 2,
    });
    expect(encode("a", { encoding: "klingon", bom: false })).toMatchObject({ ok: false });
  });

  test("names are for people", async () => {
    expect(encodingName({ encoding: "utf8", bom: true })).toBe("UTF-8 with BOM");
    expect(encodingName({ encoding: "shiftjis", bom: false })).toBe("Shift JIS");
  });
});

describe("an edit of a file's bytes", () => {
  const lines = ["first \u4e00", "second \u4e8c  ", "\tthird \u4e09", "last"];
  test.each(["utf8", "utf16le", "utf16be", "shiftjis", "eucjp", "gb18030"])(
    "%s keeps every other byte",
    async (encoding) => {
      for (const bom of encoding.startsWith("utf") ? [true, false] : [false]) {
        for (const end of ["\n", "\r\n", "\r"]) {
          for (const final of ["", end]) {
            const rows = lines.map((line, at) => line + (at < 3 ? end : final));
            const before = bytesOf(rows.join(""), encoding, bom);
            const decoded = await text(before, encoding.startsWith("utf") ? undefined : encoding);
            const edited = applySearchReplace(
              decoded.text,
              "------- SEARCH\nthird \u4e09\n=======\nthird \u4e09\n\u65b0\u3057\u3044\n+++++++ REPLACE",
            );
            if (!edited.ok) throw new Error(edited.error);
            const after = encode(edited.content, decoded);
            const expected = bytesOf(
              [...rows.slice(0, 3), `\t\u65b0\u3057\u3044${end}`, ...rows.slice(3)].join(""),
              encoding,
              bom,
            );
            expect(after).toEqual({ ok: true, bytes: expected });
          }
        }
      }
    },
  );
});

function bytesOf(source: string, encoding: string, bom: boolean): Uint8Array {
  return new Uint8Array(iconv.encode(source, encoding, { addBOM: bom }));
}
