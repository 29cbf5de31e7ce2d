/** The list of everything that a command may destroy, stored as a content until the command's changes are known. */
import * as z from "../../shared/zod.ts";
import type { Target } from "../ports/file-trees.ts";
import { type FileState, fileStateSchema } from "./change-records.ts";

const manifestSchema = z.object({
  targets: z.array(
    z.object({
      path: z.string(),
      glob: z.optional(z.literal(true)),
      receives: z.optional(z.literal(true)),
      light: z.optional(z.literal(true)),
    }),
  ),
  git: z.boolean(),
  states: z.array(z.tuple([z.string(), fileStateSchema])),
});

export interface Manifest {
  /** Targets to scan again. */
  targets: Target[];
  git: boolean;
  /** Keyed by absolute path. */
  states: [path: string, state: FileState][];
}

export function writeManifest(manifest: Manifest): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(manifest));
}

/** Throws if the bytes are not a manifest. */
export function readManifest(bytes: Uint8Array): Manifest {
  const { targets, git, states } = manifestSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  return {
    git,
    states,
    targets: targets.map(({ path, glob, receives, light }) => ({
      path,
      ...(glob ? { glob } : {}),
      ...(receives ? { receives } : {}),
      ...(light ? { light } : {}),
    })),
  };
}
