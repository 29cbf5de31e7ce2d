// The extension's page in the editor.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { ROOT } from "./dependencies.mjs";
import { replaceFile } from "./replace-file.mjs";

const ENGLISH = "docs/extension.md";
const JAPANESE = "docs/ja/extension.md";

/** The packaged page, relative to the repository's folder. */
export const PAGE = "dist/README.md";

/** Writes the page, which has both languages, with its pictures inlined: the editor does not show pictures from the package. */
export async function writePage() {
  const [english, japanese] = await Promise.all([ENGLISH, JAPANESE].map(withPictures));
  await replaceFile(path.join(ROOT, PAGE), joinLanguages(english ?? "", japanese ?? ""));
}

/** Bytes of the largest picture on the page. Animations are left to the documentation: one would add a fifth of a megabyte to the package. */
const LARGEST_PICTURE = 100_000;

/** @param {string} page relative to the repository's folder */
async function withPictures(page) {
  let text = await readFile(path.join(ROOT, page), "utf8");
  for (const [picture, name = ""] of text.matchAll(/!\[[^\]]*\]\(([^):]+\.webp)\)/g)) {
    const bytes = await readFile(path.join(ROOT, path.dirname(page), name));
    if (bytes.length > LARGEST_PICTURE) text = text.replace(`${picture}\n\n`, "");
    else text = text.replace(`(${name})`, `(data:image/webp;base64,${bytes.toString("base64")})`);
  }
  return text;
}

/**
 * The Japanese page as the last section of the English one. Where the pages link to each other, the link leads there or goes.
 * @param {string} english
 * @param {string} japanese
 */
export function joinLanguages(english, japanese) {
  const section = japanese
    .replace(/^# .*\n/, "## 日本語\n")
    .replace(/^(##+) (?!日本語$)/gm, "#$1 ")
    .replace(/^\[English\]\(.*\)\n\n/m, "");
  return `${english.replace("(ja/extension.md)", "(#日本語)")}\n${section}`;
}
