/** The names of encodings that users see. */

const NAMES: Readonly<Record<string, string>> = {
  utf8: "UTF-8",
  utf16le: "UTF-16 LE",
  utf16be: "UTF-16 BE",
  shiftjis: "Shift JIS",
  eucjp: "EUC-JP",
  iso2022jp: "ISO-2022-JP",
  gb18030: "GB 18030",
  gbk: "GBK",
  big5hkscs: "Big5",
  cp950: "Big5",
  euckr: "EUC-KR",
  koi8r: "KOI8-R",
  koi8u: "KOI8-U",
  macroman: "Mac Roman",
  windows874: "Windows-874",
};

/** `encoding`: one of the editor's names. */
export function nameOfEncoding(encoding: string): string {
  return (
    NAMES[encoding] ??
    encoding
      .replace(/^windows(?=125)/, "Windows-")
      .replace(/^iso8859(\d+)$/, "ISO 8859-$1")
      .replace(/^cp(?=\d)/, "CP ")
  );
}
