/** The file that the user looks at in the editor, and what the paths of mentions are. */
import * as z from "../zod.ts";

export const currentFileSchema = z.object({
  /** As in a mention: relative to the first folder with `/`, or `@name:/path` in another folder of the workspace. */
  path: z.string(),
  /** The selected lines, 1-based and inclusive; absent: nothing is selected. */
  lines: z.optional(z.object({ start: z.number(), end: z.number() })),
  /** Whether messages name the files that the user has open. */
  included: z.boolean(),
});
export type CurrentFile = z.infer<typeof currentFileSchema>;

const pathKindSchema = z.enum(["file", "folder", "none"]);
export type PathKind = z.infer<typeof pathKindSchema>;

export const currentFileProtocol = {
  /** Whether messages name the files that the user has open, from the next message on. Stored for the window. */
  "current/include": { params: z.object({ included: z.boolean() }), result: z.object({}) },
  /** What exists at the paths of these mentions, in order; "none": nothing, or the path is outside the workspace. */
  "files/kinds": {
    params: z.object({ paths: z.array(z.string()).check(z.maxLength(100)) }),
    result: z.object({ kinds: z.array(pathKindSchema) }),
  },
} as const;
