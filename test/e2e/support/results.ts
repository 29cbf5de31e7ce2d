// Where screenshots and the traces of failures go.
import { mkdirSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../../../scripts/lib/dependencies.mjs";

const RESULTS = path.join(ROOT, "test-results");

/** test-results/screenshots/NAME.png; a name may hold folders. */
export function screenshotFile(name: string): string {
  const file = path.join(RESULTS, "screenshots", `${name}.png`);
  mkdirSync(path.dirname(file), { recursive: true });
  return file;
}

/** test-results/TEST NAME/, made when missing. */
export function failureFolder(testName: string): string {
  const folder = path.join(RESULTS, "failures", testName.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 100));
  mkdirSync(folder, { recursive: true });
  return folder;
}
