import * as z from "../../shared/zod.ts";
import { findElision } from "../edits/blocks/elision.ts";
import {
  applyPatch as applyTo,
  type PatchChange,
  type PatchOperation,
  parsePatch,
  pathsNamed,
} from "../edits/patch/patch.ts";
import { ToolError } from "../errors.ts";
import type { TextFile } from "../ports/files.ts";
import { READ_THEN_EDIT, readOriginal, refuseStale, refuseToQuote } from "./editing/original-file.ts";
import type { PatchFileChange } from "./editing/patch-choice.ts";
import { filesInvocation } from "./editing/patch-invocation.ts";
import { omissionDoubt } from "./editing/prepared-edit.ts";
import { savedFile } from "./editing/saved-text.ts";
import { defineTool, type ToolContext } from "./tool.ts";
import { displayPath, locatePath, resolvePath } from "./tool-paths.ts";

export const applyPatchTool = defineTool({
  name: "apply_patch",
  resultShortening: { shows: savedFile },
  presentation: {
    icon: "edit",
    title: { doing: "Editing", done: "Edited" },
    row: "tool",
    question: "Apply these changes?",
    opens: ["diff"],
  },
  access: "edit",
  description: "Adds, updates, deletes and moves files, or changes nothing if a part does not match.",
  guide: {
    description:
      "Adds, updates, deletes and moves files with one patch. It is applied as a whole or not at all.",
    params: {
      input: `The patch, in this format:
*** Begin Patch
*** Update File: a.ts
@@ a copy of a line above the change
 an unchanged line
-a removed line
+an added line
*** Add File: b.ts
+its lines
*** Delete File: c.ts
*** End Patch
Every line of a change begins with a space, - or +. Keep about three unchanged lines around each change. A line with @@ begins each further change of a file; the text after @@ is optional. "*** Move to: d.ts" on the line after Update File moves the file, also without changes.`,
    },
  },
  schema: z.object({
    input: z
      .string()
      .check(
        z.describe(
          [
            "*** Begin Patch",
            "*** Update File: a.ts",
            "@@ a copy of a line above the change",
            " an unchanged line",
            "-a removed line",
            "+an added line",
            "*** Add File: b.ts",
            "+its lines",
            "*** Delete File: c.ts",
            "*** End Patch",
            'Keep three unchanged lines around a change. A line with @@ begins each further change of a file; the text after @@ is optional. "*** Move to: d.ts" may follow Update File.',
          ].join("\n"),
        ),
      ),
  }),
  subjectParam: "input",
  subjectOf: (input) => pathsNamed(input).join(", "),
  async prepare({ input }, context) {
    const parsed = parsePatch(input);
    if (!parsed.ok) throw new ToolError(parsed.error);
    const places = await placesOf(context, parsed.operations);
    const originals = await readOriginals(context, parsed.operations, places);
    for (const [name, { version }] of originals)
      refuseStale(context, places.of(name), { version, change: "in place", advice: READ_THEN_EDIT });
    const result = applyTo(input, (path) => originals.get(path)?.text);
    if (!result.ok) {
      for (const name of originals.keys()) await refuseToQuote(context, places.of(name));
      throw new ToolError(result.error);
    }
    const changes = result.changes.map((change) => fileChange(context, change, { originals, places }));
    refuseSamePlace(changes);
    // The new lines, without the removed ones between them.
    const written = input.replace(/^-.*\n/gm, "").replace(/^\+/gm, "");
    return filesInvocation(context, changes, {
      ...{ notes: result.leftOut ?? [], doubt: omission(changes), written },
    });
  },
});

/** What the user has to decide if a new file may lack code. */
function omission(changes: readonly PatchFileChange[]): ReturnType<typeof omissionDoubt> | undefined {
  for (const { kind, content } of changes) {
    const elision = kind === "add" && content !== null ? findElision(content) : undefined;
    if (elision) return omissionDoubt(elision);
  }
  return undefined;
}

/** Where the files are that a patch names. */
interface Places {
  /** The absolute path of a name in the patch. */
  of(name: string): string;
}

async function placesOf({ host }: ToolContext, operations: readonly PatchOperation[]): Promise<Places> {
  const places = new Map<string, string>();
  for (const name of operations.flatMap(namesOf)) places.set(name, await locatePath(host, name));
  return { of: (name) => places.get(name) ?? resolvePath(host.workspace, name) };
}

function namesOf(operation: PatchOperation): string[] {
  const { path } = operation;
  return operation.kind === "update" && operation.to !== undefined ? [path, operation.to] : [path];
}

/** The existing files that the patch names, by their name in the patch. */
async function readOriginals(
  context: ToolContext,
  operations: readonly PatchOperation[],
  places: Places,
): Promise<Map<string, TextFile>> {
  const originals = new Map<string, TextFile>();
  for (const operation of operations) {
    for (const name of namesOf(operation)) {
      const path = places.of(name);
      const original =
        operation.kind === "delete" ? await withoutText(context, path) : await readOriginal(context, path);
      if (original) originals.set(name, original);
    }
  }
  return originals;
}

/** The file to delete; it need not be text. null: it does not exist. */
async function withoutText(context: ToolContext, path: string): Promise<TextFile | null> {
  const stat = await context.host.files.stat(path);
  if (!stat) return null;
  if (stat.kind === "file" && stat.size === 0) return readOriginal(context, path);
  try {
    return await readOriginal(context, path);
  } catch (error) {
    if (stat.kind !== "file" || !(error instanceof ToolError)) throw error;
    return { text: "", encoding: "binary", bom: false, version: stat.version };
  }
}

function fileChange(
  context: ToolContext,
  change: PatchChange,
  { originals, places }: { originals: ReadonlyMap<string, TextFile>; places: Places },
): PatchFileChange {
  const { workspace } = context.host;
  const path = places.of(change.path);
  const name = displayPath(workspace, path);
  const original = originals.get(change.path) ?? null;
  const content = change.kind === "delete" ? null : change.content;
  if (change.kind !== "move") return { kind: change.kind, path, name, original, content };
  const target = places.of(change.to);
  return {
    kind: "move",
    path,
    name,
    original,
    content,
    to: { path: target, name: displayPath(workspace, target) },
  };
}

function refuseSamePlace(changes: readonly PatchFileChange[]): void {
  const seen = new Set<string>();
  for (const { path, name, to } of changes) {
    for (const place of [{ path, name }, ...(to ? [to] : [])]) {
      if (seen.has(place.path)) {
        throw new ToolError(
          `${place.name} is named twice in the patch. Nothing was changed. Put all changes to a file in one place.`,
        );
      }
      seen.add(place.path);
    }
  }
}
