/** Output of programs that print in a code page of Windows. */
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import {
  createOutputDecoder,
  encodingOf,
  needsMark,
  parseCodePage,
} from "../../../src/node/files/code-page.ts";
import { createShell } from "../../../src/node/shell/process-shell.ts";
import { fc } from "../../support/property.ts";

const TEXTS: Record<number, string> = {
  932: "ドライブ C のボリューム ラベルは表示できません。\\ソ能表予\r\n",
  936: "驱动器 C 中的卷没有标签。\r\n",
  949: "C 드라이브의 볼륨에는 이름이 없습니다.\r\n",
  950: "磁碟區 C 中的磁碟沒有標籤。\r\n",
  1252: "Le volume dans le lecteur C n’a pas de nom. é\r\n",
  866: "Том в устройстве C не имеет метки.\r\n",
};
const pages = Object.entries(TEXTS).map(([page, text]) => [Number(page), text] as const);

function decoded(codePage: number | undefined, bytes: Buffer, cuts: readonly number[] = []): string {
  const decoder = createOutputDecoder(codePage);
  const at = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
  const parts = at.slice(1).map((end, i) => decoder.push(bytes.subarray(at[i], end)));
  return parts.join("") + decoder.end();
}

describe.each(pages)("code page %i", (page, text) => {
  const bytes = iconv.encode(text, `cp${page}`);

  it("is read, wherever the output is cut", () => {
    expect(decoded(page, bytes)).toBe(text);
    const line = fc.array(fc.nat(bytes.length), { maxLength: 6 });
    fc.assert(
      fc.property(line, (cuts) => {
        expect(decoded(page, bytes, cuts)).toBe(text);
      }),
    );
  });

  it("beside programs that print UTF-8", () => {
    const mixed = Buffer.concat([bytes, Buffer.from("git: 日本語 né\n"), bytes, Buffer.from("plain\n")]);
    const line = fc.array(fc.nat(mixed.length), { maxLength: 6 });
    const expected = `${text}git: 日本語 né\n${text}plain\n`;
    fc.assert(
      fc.property(line, (cuts) => {
        expect(decoded(page, mixed, cuts)).toBe(expected);
      }),
    );
  });

  it("without a line end", () => {
    const prompt = text.trimEnd();
    expect(decoded(page, iconv.encode(prompt, `cp${page}`))).toBe(prompt);
  });
});

it.each([undefined, 65001, 999])("code page %s is UTF-8", (page) => {
  expect(encodingOf(page)).toBeUndefined();
  const bytes = Buffer.from("日本語\n");
  for (let cut = 0; cut <= bytes.length; cut++) expect(decoded(page, bytes, [cut])).toBe("日本語\n");
});

it.each([
  ["Active code page: 932\r\n", 932],
  ["Aktive Codepage: 850.\r\n", 850],
  ["\x8c\xbb\x8d\xdd\x82\xcc\x83R\x81[\x83h \x83y\x81[\x83W: 65001\r\n", 65001],
  ["", undefined],
])("%j is page %s", (printed, page) => {
  expect(parseCodePage(printed)).toBe(page);
});

it("a command's output is read by the code page", async () => {
  const shell = createShell({ shell: "/bin/sh", codePage: 932 });
  let output = "";
  await shell.run(String.raw`printf '\223\372\226\173\n'; echo 日本; printf '\203\134'`, {
    cwd: "/",
    signal: new AbortController().signal,
    timeoutMs: 60_000,
    onOutput: (text: string) => {
      output += text;
    },
  });
  shell.dispose();
  expect(output).toBe("日本\n日本\nソ");
});

it.each([
  ["C:\\a\\x.ps1", "Write-Output 日本", "win32", true],
  ["x.PSM1", "é", "win32", true],
  ["x.psd1", "é", "win32", true],
  ["x.ps1", "Write-Output a\r\n", "win32", false],
  ["x.ps1", "é", "linux", false],
  ["x.ts", "é", "win32", false],
  ["x.ps1xml", "é", "win32", false],
] as const)("%s with %j on %s has a byte order mark: %s", (file, text, platform, marked) => {
  expect(needsMark(file, text, platform)).toBe(marked);
});
