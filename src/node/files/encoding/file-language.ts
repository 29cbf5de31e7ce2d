/** The language of a file that is not open. */
import path from "node:path";
import ignore from "ignore";
import * as z from "../../../shared/zod.ts";

/** The languages that an extension contributes. */
export const languagesSchema = z.catch(
  z.array(
    z.object({
      id: z.string(),
      extensions: z.optional(z.array(z.string())),
      filenames: z.optional(z.array(z.string())),
      filenamePatterns: z.optional(z.array(z.string())),
    }),
  ),
  [],
);
export type Languages = z.infer<typeof languagesSchema>;
const associationsSchema = z.catch(z.record(z.string(), z.string()), {});

/** By the user's associations and by what extensions say of names. */
export function languageOf(file: string, associations: unknown, languages: Languages): string | undefined {
  const name = path.basename(file).toLowerCase();
  const associated = Object.entries(associationsSchema.parse(associations)).filter(([glob]) =>
    fits(glob, file),
  );
  // The longest pattern is the most specific one.
  const [own] = associated.sort(([a], [b]) => b.length - a.length);
  if (own) return own[1];
  const named = languages.findLast(({ filenames = [] }) =>
    filenames.some((each) => each.toLowerCase() === name),
  );
  if (named) return named.id;
  const patterned = languages.findLast(({ filenamePatterns = [] }) =>
    filenamePatterns.some((glob) => fits(glob, file)),
  );
  if (patterned) return patterned.id;
  let best: { id: string; length: number } | undefined;
  for (const { id, extensions = [] } of languages) {
    for (const extension of extensions) {
      if (name.endsWith(extension.toLowerCase()) && extension.length >= (best?.length ?? 1))
        best = { id, length: extension.length };
    }
  }
  return best?.id;
}

function fits(glob: string, file: string): boolean {
  const inside = path.relative(path.parse(file).root, file).split(path.sep).join("/");
  return ignore({ ignorecase: true }).add(glob).ignores(inside);
}
