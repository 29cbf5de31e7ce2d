/** Runs once before all tests of the terminal host, which is a built program. */
import { existsSync } from "node:fs";
import path from "node:path";

const built = path.join(import.meta.dirname, "../../dist/cli.js");

export function setup(): void {
  if (!existsSync(built)) throw new Error("dist/cli.js is missing: run npm run build first");
}
