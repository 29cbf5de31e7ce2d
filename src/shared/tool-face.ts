/**
 * How the calls of a tool look. The tool gives it, and it travels as data, so that no host has a table of tools: a tool
 * that joined a minute ago has a row like any other. Phrases are English, and keys of `l10n/bundle.l10n.*.json`; one that
 * is no key is shown as it is.
 */
import * as z from "zod";

export const toolFaceSchema = z.object({
  /** A codicon's name. */
  icon: z.string(),
  /** What stands before the subject: `doing` unless the call runs or is done and another phrase is given for that. */
  title: z.object({ doing: z.string(), running: z.string().optional(), done: z.string().optional() }),
  /** tool: one line, and what it found. proposal: Markdown that the user says yes or no to. plan, result: what is handed over. */
  row: z.enum(["tool", "command", "question", "proposal", "plan", "result"]),
  /** Parameters that the row shows: its text, the answers to choose from, a command that can be run. */
  shows: z
    .object({ text: z.string(), options: z.string().optional(), command: z.string().optional() })
    .optional(),
  /** What the user is asked before a call runs, where the access class does not say it. */
  question: z.string().optional(),
  /** What can be opened: the file that the subject names, the difference that a call proposes. */
  opens: z.array(z.enum(["file", "diff"])).optional(),
  /** Puts a bare count that it found into words, and a `range`, as in "1-20 / 400". */
  found: z.object({ one: z.string(), many: z.string(), range: z.string().optional() }).optional(),
});
export type ToolFace = z.infer<typeof toolFaceSchema>;

/** By a tool's name. */
export const toolFacesSchema = z.record(z.string(), toolFaceSchema).readonly();
export type ToolFaces = z.infer<typeof toolFacesSchema>;

/** undefined: nothing is known of a tool of that name. */
export function faceOf(faces: ToolFaces, tool: string): ToolFace | undefined {
  return Object.hasOwn(faces, tool) ? faces[tool] : undefined;
}

/** The same object where nothing changes. */
export function withFace(faces: ToolFaces, tool: string, face: ToolFace): ToolFaces {
  const known = faceOf(faces, tool);
  return known && JSON.stringify(known) === JSON.stringify(face) ? faces : { ...faces, [tool]: face };
}

/** Every phrase of a face, for translators. */
export function phrasesOf({ title, found, question }: ToolFace): string[] {
  const phrases = [...Object.values(title), ...Object.values(found ?? {}), question];
  return phrases.filter((phrase) => phrase !== undefined);
}
