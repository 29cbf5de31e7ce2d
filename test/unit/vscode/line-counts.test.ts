/** The numbers of lines that a change adds and removes. */
import { expect, it } from "vitest";
import { lineCounts } from "../../../src/vscode/editor/line-counts.ts";

const file = (text: string) => ({ kind: "file", bytes: Buffer.from(text, "utf8") }) as const;

it.each([
  [
    "a changed line and an added one",
    file("one\ntwo\n"),
    file("ONE\ntwo\nthree\n"),
    { added: 2, removed: 1 },
  ],
  ["a new file", null, file("a\nb"), { added: 2, removed: 0 }],
  ["a deleted file", file("a\r\nb\r\n"), null, { added: 0, removed: 2 }],
  ["line endings alone", file("a\r\nb\r\n"), file("a\nb\n"), { added: 0, removed: 0 }],
  ["an emptied file", file("a\n"), file(""), { added: 0, removed: 1 }],
  ["binary data", file("\0\u0001"), file("\0\u0002"), {}],
  ["content that was not backed up", undefined, file("a\n"), {}],
])("of %s", async (_, before, after, counts) => {
  const place = { path: "/folder/file.txt", names: async () => undefined };
  expect(await lineCounts(place, before, after)).toEqual(counts);
});
