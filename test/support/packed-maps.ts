/** The packed character maps, as they ship. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import { packCmaps } from "../../scripts/lib/cmaps.mjs";

/** A folder with the packed maps, deleted after the tests of the file. */
export async function packedMaps(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), "nekode-maps-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(path.join(folder, "maps.br"), await packCmaps(1));
  return folder;
}
