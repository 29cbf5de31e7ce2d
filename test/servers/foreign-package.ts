/** The programs of packages that others wrote. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { inject } from "vitest";
import * as z from "zod";

const manifestSchema = z.object({
  version: z.string(),
  bin: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
});

export interface ForeignPackage {
  version: string;
  /** The first program that it brings, absolute. */
  program: string;
}

export function foreignPackage(name: string): ForeignPackage {
  const folder = path.join(inject("packages"), name);
  const { version, bin } = manifestSchema.parse(
    JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")),
  );
  const [program = ""] = typeof bin === "object" ? Object.values(bin) : [bin ?? ""];
  return { version, program: path.join(folder, program) };
}
