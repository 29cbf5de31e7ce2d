// Leaves out of a bundle the translations of sentences that only another host says.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/**
 * An esbuild plugin for a file of translations by sentence. Sentences are literals of the sources, as test/unit/webview/translations.test.ts
 * checks; one that is a literal in `others` and not in `own` is left out.
 * @param {{ own: readonly string[], others: readonly string[] }} folders relative to the build's `absWorkingDir`; a file below both counts
 * as one of `others`
 * @param {RegExp} filter the file
 * @returns {import("esbuild").Plugin}
 */
export function usedWords({ own, others }, filter) {
  return {
    name: "used-words",
    setup(build) {
      const { absWorkingDir = process.cwd() } = build.initialOptions;
      build.onLoad({ filter }, ({ path: file }) => {
        const at = (/** @type {string} */ folder) => path.join(absWorkingDir, folder);
        const elsewhere = others.flatMap((folder) => sourcesIn(at(folder)));
        const here = own
          .flatMap((folder) => sourcesIn(at(folder)))
          .filter((each) => !elsewhere.includes(each));
        const words = JSON.parse(readFileSync(file, "utf8"));
        return { contents: JSON.stringify(wordsIn(words, textOf(here), textOf(elsewhere))), loader: "json" };
      });
    },
  };
}

/**
 * @param {Record<string, string>} words
 * @param {string} own @param {string} others sources
 */
export function wordsIn(words, own, others) {
  const isKept = (/** @type {string} */ sentence) => {
    const literal = JSON.stringify(sentence);
    return own.includes(literal) || !others.includes(literal);
  };
  return Object.fromEntries(Object.entries(words).filter(([sentence]) => isKept(sentence)));
}

/** @param {string} folder */
function sourcesIn(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.filter((name) => /\.tsx?$/.test(name)).map((name) => path.join(folder, name));
}

/** @param {readonly string[]} files */
function textOf(files) {
  return files.map((file) => readFileSync(file, "utf8")).join("\n");
}
