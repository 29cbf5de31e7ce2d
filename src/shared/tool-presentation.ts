/**
 * How the calls of a tool look. The tool provides its presentation, and it is sent as data, so no host needs a table of tools:
 * a tool added at run time has a row like any other. Phrases are English and are keys of `l10n/bundle.l10n.*.json`; a
 * phrase that is not a key is shown unchanged.
 */
import * as z from "./zod.ts";

export const WORK_KINDS = ["read", "search", "edit", "command", "web", "server", "task", "other"] as const;

const titleSchema = z.object({
  doing: z.string(),
  running: z.optional(z.string()),
  done: z.optional(z.string()),
});

export const toolPresentationSchema = z.object({
  /** A codicon's name. */
  icon: z.string(),
  /** The phrase before the subject: `doing`, unless the call is running or done and the presentation has a phrase for that. */
  title: titleSchema,
  /**
   * For a tool with several actions: titles by the action, which is the first word of the subject. The row then shows the
   * rest of the subject.
   */
  titles: z.optional(z.record(z.string(), titleSchema)),
  /** The actions that the summary of a turn counts. The others continue what one of these began. Default: all. */
  counted: z.optional(z.array(z.string())),
  /**
   * tool: one line and the result. proposal: Markdown that the user approves or rejects. plan, result: the text that the call
   * delivers.
   */
  row: z.enum(["tool", "command", "question", "proposal", "plan", "result"]),
  /** Parameters that the row shows: its text, the answers to choose from, a command that can be run. */
  shows: z.optional(
    z.object({ text: z.string(), options: z.optional(z.string()), command: z.optional(z.string()) }),
  ),
  /** The question that the user is asked before a call runs, where the access class does not provide one. */
  question: z.optional(z.string()),
  /** The label of the button that approves a call, if the access class does not determine it. */
  approve: z.optional(z.string()),
  /** What can be opened: the file that the subject names, or the diff that a call proposes. */
  opens: z.optional(z.array(z.enum(["file", "diff"]))),
  /**
   * What a completed call counts as in the summary of a turn. read, edit: of the file that the subject names. web: of the page
   * that it names. search: any other look at the project.
   */
  work: z.optional(z.enum(WORK_KINDS)),
  /** How to phrase a bare count that the call found, or a `range` such as "1-20 / 400". */
  found: z.optional(z.object({ one: z.string(), many: z.string(), range: z.optional(z.string()) })),
});
export type ToolPresentation = z.infer<typeof toolPresentationSchema>;
export type WorkKind = NonNullable<ToolPresentation["work"]>;

/** By a tool's name. */
export const toolPresentationsSchema = z.readonly(z.record(z.string(), toolPresentationSchema));
export type ToolPresentations = z.infer<typeof toolPresentationsSchema>;

/** undefined: no tool of that name is known. */
export function presentationOf(faces: ToolPresentations, tool: string): ToolPresentation | undefined {
  return Object.hasOwn(faces, tool) ? faces[tool] : undefined;
}

/** The title of a call, and what its row shows of the subject. */
export function presentedTitle(
  presentation: ToolPresentation,
  subject: string,
): { title: ToolPresentation["title"]; subject: string } {
  const [action = ""] = subject.split(" ", 1);
  const title =
    presentation.titles && Object.hasOwn(presentation.titles, action)
      ? presentation.titles[action]
      : undefined;
  return title
    ? { title, subject: subject.slice(action.length + 1) }
    : { title: presentation.title, subject };
}

/** Returns the same object if nothing changes. */
export function withPresentation(
  faces: ToolPresentations,
  tool: string,
  presentation: ToolPresentation,
): ToolPresentations {
  const known = presentationOf(faces, tool);
  return known && JSON.stringify(known) === JSON.stringify(presentation)
    ? faces
    : { ...faces, [tool]: presentation };
}
