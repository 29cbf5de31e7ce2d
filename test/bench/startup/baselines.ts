import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import type { Compared } from "../report.ts";
import { type Baselines, baselinesOf } from "./compared.ts";

/** What the suite measured when somebody last kept it, by the name of the figure. */
const FILE = resolve("test/bench/startup/baselines.json");

/** `measure`: a ratio, or a count. `tolerance`: the share of it by which a new measure may be larger. */
export const baselinesSchema = z.record(
  z.string(),
  z.strictObject({ measure: z.number().min(0), tolerance: z.number().min(0) }),
);

export function readBaselines(): Baselines {
  return existsSync(FILE) ? baselinesSchema.parse(JSON.parse(readFileSync(FILE, "utf8"))) : {};
}

export function keepBaselines(rows: readonly Compared[]): void {
  writeFileSync(FILE, `${JSON.stringify(baselinesOf(rows, readBaselines()), null, 2)}\n`);
}
