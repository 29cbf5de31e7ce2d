// The extension's page in the editor.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { ROOT } from "./dependencies.mjs";
import { replaceFile } from "./replace-file.mjs";

const SOURCE = "docs/extension.md";

/** The packaged page, relative to the repository's folder. */
export const PAGE = "dist/README.md";

/** Writes the page with its pictures inlined: the editor does not show pictures from the package. */
export async function writePage() {
  let page = await readFile(path.join(ROOT, SOURCE), "utf8");
  for (const [, name = ""] of page.matchAll(/!\[[^\]]*\]\(([^):]+\.webp)\)/g)) {
    const bytes = await readFile(path.join(ROOT, path.dirname(SOURCE), name));
    page = page.replace(`(${name})`, `(data:image/webp;base64,${bytes.toString("base64")})`);
  }
  await replaceFile(path.join(ROOT, PAGE), page);
}
