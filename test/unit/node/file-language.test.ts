/** The language of a file, by which the editor chooses settings for languages. */
import { expect, it } from "vitest";
import { languageOf } from "../../../src/node/files/encoding/file-language.ts";

const LANGUAGES = [
  { id: "c", extensions: [".c", ".h"] },
  { id: "cpp", extensions: [".cpp", ".h"] },
  { id: "makefile", filenames: ["Makefile"], extensions: [".mk"] },
  { id: "test", extensions: [".test.c"] },
  { id: "env", filenamePatterns: ["**/.env.*"] },
];

it.each([
  ["/p/a.c", "c"],
  ["/p/A.C", "c"],
  ["/p/a.test.c", "test"],
  ["/p/makefile", "makefile"],
  ["/p/x/.env.local", "env"],
  ["/p/a.unknown", undefined],
  ["/p/legacy/a.unknown", "c"],
  ["/p/legacy/b.c", "c"],
  ["/p/a.inc", "cpp"],
])("%s: %s", (file, language) => {
  const associations = { "*.inc": "cpp", "**/legacy/*": "c" };
  expect(languageOf(file, associations, LANGUAGES)).toBe(language);
});

it("associations of another shape are none", () => {
  expect(languageOf("/p/a.c", ["*.c"], LANGUAGES)).toBe("c");
});
