/** What another editor is told of files in older encodings. */
import iconv from "iconv-lite";
import { expect, it } from "vitest";
import { recordedDiffs } from "../../../src/acp/recorded-diffs.ts";

it("the texts before and after a change are in the encoding that is named for the file", async () => {
  const content = (text: string) => ({ kind: "file" as const, bytes: iconv.encode(text, "windows1251") });
  const checkpoints = {
    changes: async () => [
      { path: "/p/a.txt", before: content("Кот\n"), after: content("пёс\n") },
      { path: "/p/gone.txt", before: content("Кот\n"), after: null },
    ],
  };
  expect(await recordedDiffs(checkpoints, "call", async () => "windows1251")).toEqual([
    { type: "diff", path: "/p/a.txt", before: "Кот\n", after: "пёс\n" },
    { type: "diff", path: "/p/gone.txt", before: "Кот\n", after: "" },
  ]);
});
