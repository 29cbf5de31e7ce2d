// npm run release:notes: dist/RELEASE-NOTES.md, the section of this version in CHANGELOG.md. --tag vVERSION: fails if that is another one.
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "./lib/dependencies.mjs";
import { runMain } from "./lib/log.mjs";
import { writeNotes } from "./lib/release.mjs";

await runMain(async () => {
  const { tag } = parseArgs({ options: { tag: { type: "string" } } }).values;
  await mkdir(path.join(ROOT, "dist"), { recursive: true });
  await writeNotes(tag);
});
