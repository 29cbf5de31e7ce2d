import { extname } from "node:path";
import * as z from "../../shared/zod.ts";
import { applySearchReplace } from "../edits/apply-blocks.ts";
import { changedRegions } from "../edits/regions.ts";
import { NothingToDo, ToolError } from "../errors.ts";
import type { TextFile } from "../ports/files.ts";
import { lineEndings, withEol } from "../text.ts";
import { readOriginal, refuseStale } from "./editing/original-file.ts";
import { prepareStreamed, shownEncodings, shownHunks } from "./editing/prepared-edit.ts";
import { type NotebookCell, notebookCells } from "./notebooks/notebook-cells.ts";
import type { CellChange } from "./notebooks/notebook-changes.ts";
import { defineTool, type Invocation, PATH_NAMES, type ToolContext } from "./tool.ts";
import { displayPath, locatePath, nothingAt } from "./tool-paths.ts";

/** Cells that a refusal lists, and characters of each. */
const MOST_LISTED = 40;
const LISTED_LENGTH = 60;

const OPERATIONS = ["replace", "insert", "delete"] as const;
type Operation = (typeof OPERATIONS)[number];

interface Params {
  operation: Operation;
  cell?: string | undefined;
  source?: string | undefined;
  diff?: string | undefined;
  cell_type?: "code" | "markdown" | "raw" | undefined;
}

export const editNotebook = defineTool({
  name: "edit_notebook",
  paramNames: {
    path: ["notebook_path", ...PATH_NAMES],
    cell: ["cell_id", "id"],
    operation: ["edit_mode", "action", "mode"],
    source: ["new_source", "content", "text"],
    cell_type: ["type"],
  },
  presentation: {
    icon: "edit",
    title: { doing: "Editing", done: "Edited" },
    titles: {
      replace: { doing: "Editing a cell of", done: "Edited a cell of" },
      insert: { doing: "Inserting a cell into", done: "Inserted a cell into" },
      delete: { doing: "Deleting a cell of", done: "Deleted a cell of" },
    },
    row: "tool",
    opens: ["diff"],
  },
  access: "edit",
  description: "Changes one cell of a Jupyter notebook (.ipynb). read_file shows the cells' ids.",
  guide: {
    description:
      "Replaces, inserts or deletes one cell of a Jupyter notebook (.ipynb), whose ids read_file shows. All other cells and all outputs stay. Use it for notebooks rather than replace_in_file, which would have to match their JSON.",
    params: {
      path: "Path of the notebook.",
      operation: "replace, insert or delete.",
      cell: "The id of the cell; for insert, of the cell before the new one. Leave it out to insert at the beginning.",
      source: "The whole new text of the cell.",
      diff: "For replace, in place of source: SEARCH/REPLACE blocks, which are located in the cell.",
      cell_type: "For insert. Default: code.",
    },
  },
  schema: z.object({
    path: z.string().check(z.describe("The notebook.")),
    operation: z.enum(OPERATIONS).check(z.describe("insert: after cell.")),
    cell: z.optional(z.string()).check(z.describe("Its id. Without it, insert is at the beginning.")),
    source: z.optional(z.string()).check(z.describe("The cell's whole new text.")),
    diff: z.optional(z.string()).check(z.describe("Instead of source: SEARCH/REPLACE blocks in the cell.")),
    cell_type: z.optional(z.enum(["code", "markdown", "raw"])).check(z.describe("Of a new cell.")),
  }),
  subject: ({ operation, path }) => [operation, path].filter((part) => typeof part === "string").join(" "),
  async prepare({ path: named, ...params }, context) {
    const path = await locatePath(context.host, named);
    const shown = displayPath(context.host.workspace, path);
    if (extname(path).toLowerCase() !== ".ipynb")
      throw new ToolError(`${shown} is not a Jupyter notebook (.ipynb).`);
    const original = await readOriginal(context, path);
    if (!original)
      throw new ToolError(`${await nothingAt(context, path)} write_to_file creates a new notebook.`);
    const notebook = notebookCells(original.text);
    if (!notebook)
      throw new ToolError(
        `${shown} is no notebook of version 4. Nothing was changed. Edit it as a text file.`,
      );
    await refuseUnreadableCells(context, path, shown);
    const { cells, hasIds, wantsIds } = notebook;
    const advice = "Nothing was changed. Read it again, then edit it.";
    if (!hasIds && !context.seen.has(path))
      throw new ToolError(`The cells of ${shown} have no ids, only positions. Read it before you edit it.`);
    // A position means another cell after any change.
    const change = hasIds ? "in place" : "whole";
    refuseStale(context, path, { version: original.version, change, advice });
    const id = wantsIds ? freeId(context, cells) : undefined;
    const edit = changeOf(params, cells, { path, id });
    const { withCellChange } = await import("./late-parts.ts");
    const text = withCellChange(original.text, edit);
    refuseDamage(original.text, text, edit);
    return invocationOf(context, { path, shown, original, text, cells, edit });
  },
});

/** Replies quote cells before any approval. */
async function refuseUnreadableCells(context: ToolContext, path: string, shown: string): Promise<void> {
  if (context.seen.has(path)) return;
  const reason = await context.unreadable(path);
  if (reason === undefined) return;
  throw new ToolError(
    `${shown} may not be read without approval: ${reason}. Nothing was changed. read_file asks the user for it.`,
  );
}

function changeOf(
  { operation, cell, source, diff, cell_type: type = "code" }: Params,
  cells: readonly NotebookCell[],
  { path, id }: { path: string; id: string | undefined },
): CellChange {
  if (operation === "insert") {
    if (source === undefined)
      throw new ToolError("insert needs the parameter source: the text of the new cell.");
    const index = cell === undefined ? -1 : indexOf(cell, cells);
    const own = id === undefined ? {} : { id };
    return { kind: "insert", index, type, source: withEol(source, "\n"), ...own };
  }
  if (cell === undefined) throw new ToolError(`${operation} needs the parameter cell: the id of the cell.`);
  const index = indexOf(cell, cells);
  if (operation === "delete") return { kind: "delete", index };
  const before = cells[index]?.source ?? "";
  const after = replacement({ source, diff }, before, path);
  if (after === before) throw new NothingToDo("Nothing was changed: the cell has this text already.");
  return { kind: "replace", index, source: after };
}

function replacement(
  { source, diff }: Pick<Params, "source" | "diff">,
  before: string,
  path: string,
): string {
  if ((source === undefined) === (diff === undefined))
    throw new ToolError(
      "replace needs either source, the whole new text of the cell, or diff. Nothing was changed.",
    );
  if (diff === undefined) return withEol(source ?? "", lineEndings(before).dominant ?? "\n");
  const result = applySearchReplace(before, diff, { path });
  if (result.ok) return result.content;
  throw new ToolError(`${result.error}\nThe lines are those of the cell. Nothing was changed.`);
}

function indexOf(wanted: string, cells: readonly NotebookCell[]): number {
  const index = cells.findIndex(({ id }) => id === wanted.trim());
  if (index >= 0) return index;
  const lines = cells.slice(0, MOST_LISTED).map(({ id, type, source }) => {
    const [first = ""] = source.trim().split("\n", 1);
    return `- ${id} (${type}): ${first.slice(0, LISTED_LENGTH)}`;
  });
  const more = cells.length - lines.length;
  const list = [...lines, ...(more > 0 ? [`(${more} more)`] : [])].join("\n");
  throw new ToolError(
    cells.length === 0
      ? `The notebook has no cells. Leave out cell to insert the first one.`
      : `No cell has the id ${JSON.stringify(wanted)}. The cells are:\n${list}\nNothing was changed.`,
  );
}

function freeId({ host }: ToolContext, cells: readonly NotebookCell[]): string {
  for (;;) {
    const id = host
      .newId()
      .replace(/[^\w-]/g, "")
      .slice(0, 64);
    const short = id.slice(0, 8);
    if (!cells.some((cell) => cell.id === short)) return short;
    if (!cells.some((cell) => cell.id === id)) return id;
  }
}

/** A change of the text must be one of that cell alone. */
function refuseDamage(before: string, after: string, edit: CellChange): void {
  const [old, now] = [notebookCells(before)?.cells, notebookCells(after)?.cells];
  const rest = (cells: readonly NotebookCell[] | undefined, without: number | undefined) =>
    JSON.stringify(cells?.filter((_, index) => index !== without).map(({ id: _, ...cell }) => cell));
  const at = edit.kind === "insert" ? edit.index + 1 : edit.index;
  const same =
    rest(old, edit.kind === "insert" ? undefined : at) === rest(now, edit.kind === "delete" ? undefined : at);
  const source = edit.kind === "delete" ? undefined : edit.source;
  if (now && same && (source === undefined || now[at]?.source === source)) return;
  throw new ToolError(
    "The notebook's JSON is written in a form in which this cell cannot be changed alone. Edit it as a text file.",
  );
}

interface NotebookEdit {
  path: string;
  shown: string;
  original: TextFile;
  text: string;
  cells: readonly NotebookCell[];
  edit: CellChange;
}

async function invocationOf(
  context: ToolContext,
  { path, shown, original, text, cells, edit }: NotebookEdit,
): Promise<Invocation> {
  const prepared = await prepareStreamed(context, { path, original, text }, undefined);
  const before = edit.kind === "insert" ? "" : (cells[edit.index]?.source ?? "");
  const after = edit.kind === "delete" ? "" : edit.source;
  const { added, removed } = changedRegions(before, after);
  const invocation = prepared.invocation();
  const id = cells[edit.index]?.id ?? "";
  return {
    ...invocation,
    view: {
      path: shown,
      added,
      removed,
      // The lines of the cell, of which none can be left out: the file has them in another form.
      files: [{ path: shown, kind: "update", added, removed, hunks: shownHunks(before, after) }],
      ...shownEncodings([{ name: shown, original }]),
    },
    async run() {
      const saved = await prepared.save({ limit: 0, isOnly: true, briefly: true });
      return {
        parts: [{ type: "text", text: `${doneText(edit, id, text)}\n${saved.text}` }],
        shown: { added, removed, created: false },
      };
    },
  };
}

function doneText(edit: CellChange, id: string, text: string): string {
  switch (edit.kind) {
    case "replace":
      return `Cell ${id} was changed. Its output stays that of the text before, until the cell runs again.`;
    case "insert":
      return `Cell ${notebookCells(text)?.cells[edit.index + 1]?.id ?? ""} was inserted.`;
    case "delete":
      return `Cell ${id} was deleted.`;
  }
}
