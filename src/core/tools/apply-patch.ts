import * as z from "zod";
import type { ApprovalView, ChangedFile } from "../../shared/event.ts";
import { findElision } from "../edits/blocks/elision.ts";
import {
  applyPatch as applyTo,
  type PatchChange,
  type PatchOperation,
  parsePatch,
  pathsNamed,
} from "../edits/patch/patch.ts";
import { changedRegions } from "../edits/regions.ts";
import { ToolError } from "../errors.ts";
import type { TextFile } from "../ports/files.ts";
import { READ_THEN_EDIT, readOriginal, refuseStale, refuseToQuote } from "./editing/original-file.ts";
import { fileIndexes, type PatchFileChange } from "./editing/patch-choice.ts";
import { PatchRun } from "./editing/patch-run.ts";
import { hunkRoom, omissionDoubt, shownEncodings, shownHunks } from "./editing/prepared-edit.ts";
import { savedFile } from "./editing/saved-text.ts";
import { defineTool, type PathUse, type ToolContext } from "./tool.ts";
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
      "Adds, updates, deletes and moves files with one patch. Use it for a change across several files, or to move a file. It is applied as a whole or not at all.",
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
      .describe(
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
    const doubt = omission(changes);
    const run = await PatchRun.prepare(context, changes, {
      notes: result.leftOut ?? [],
      asks: doubt !== undefined,
    });
    const files = changes.length > 1 ? choosable(changes) : changes.map(summaryOf);
    const sum = (side: "added" | "removed") => files.reduce((total, file) => total + file[side], 0);
    return {
      paths: changes.flatMap(pathsOf),
      view: {
        path: changes[0]?.name ?? "",
        files,
        added: sum("added"),
        removed: sum("removed"),
        ...hunksOfOne(changes),
        ...shownEncodings(changes.filter(({ content }) => content !== null)),
      },
      ...doubt,
      preview: run.preview,
      run: ({ excludedHunks }) => run.run(excludedHunks),
      discard: () => run.discard(),
    };
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

/** The hunks of a patch that only changes one file, or creates it. */
function hunksOfOne([change, ...others]: readonly PatchFileChange[]): Pick<ApprovalView, "hunks"> {
  if (!change || others.length > 0 || change.content === null || change.to) return {};
  return { hunks: shownHunks(change.original?.text ?? "", change.content) };
}

/** The files of a patch that changes several, with the parts that can be excluded. */
function choosable(changes: readonly PatchFileChange[]): ChangedFile[] {
  const room = hunkRoom();
  const indexes = fileIndexes(changes);
  return changes.map((change, file) => {
    const { original, content } = change;
    const hunks = content === null ? undefined : shownHunks(original?.text ?? "", content, room);
    const shown = hunks && hunks.shown.length + hunks.more > 0 ? { hunks } : {};
    return { ...summaryOf(change), at: indexes[file] ?? 0, ...shown };
  });
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

/** The paths that a change touches; for written text, with the text before and after. */
function pathsOf({ path, to, original, content }: PatchFileChange): PathUse[] {
  const write = (each: string, before: string | null): PathUse => ({
    path: each,
    access: "write",
    ...(content === null ? {} : { change: { before, after: content } }),
  });
  if (!to) return [write(path, original?.text ?? null)];
  // A move removes the old path and creates the new one.
  return [{ path, access: "write" }, write(to.path, null)];
}

function summaryOf({ kind, name, to, original, content }: PatchFileChange): ChangedFile {
  const { added, removed } = changedRegions(original?.text ?? "", content ?? "");
  return { path: name, kind, added, removed, ...(to ? { to: to.name } : {}) };
}
