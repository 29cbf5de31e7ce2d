/** Tables of what tests found, which `npm run test:servers` prints at its end, in the form in which docs/figures.md has them. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

const FOLDER = path.join(import.meta.dirname, "../../test-results/servers");

/** Columns of numbers are those whose title ends with `#`. */
export async function writeTable(
  name: string,
  titles: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): Promise<void> {
  const cells = (row: readonly (string | number)[]) => `| ${row.map(cell).join(" | ")} |`;
  const lines = [
    cells(titles.map((title) => title.replace(/#$/, ""))),
    cells(titles.map((title) => (title.endsWith("#") ? "---:" : "---"))),
    ...rows.map(cells),
  ];
  await mkdir(FOLDER, { recursive: true });
  await writeFile(path.join(FOLDER, `${name}.md`), `${lines.join("\n")}\n`);
}

function cell(value: string | number): string {
  return typeof value === "number" ? value.toLocaleString("en-US") : value.replaceAll("|", "\\|");
}
