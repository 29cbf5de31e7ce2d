import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { sectionsOf, withSections } from "./figures.ts";
import { type Figures, figuresSchema } from "./report.ts";

/** The measurements that docs/figures.md shows. */
const DATA = resolve("docs/figures.json");
const DOCUMENT = resolve("docs/figures.md");

/** Writes the suites that were measured into the document; the others stay as they were measured last. */
export function writeDocs(measured: Figures): string {
  const before = existsSync(DATA) ? figuresSchema.parse(JSON.parse(readFileSync(DATA, "utf8"))) : {};
  const figures = { ...before, ...measured };
  const document = withSections(readFileSync(DOCUMENT, "utf8"), sectionsOf(figures));
  writeFileSync(DATA, `${JSON.stringify(figures, null, 2)}\n`);
  writeFileSync(DOCUMENT, document);
  return DOCUMENT;
}
