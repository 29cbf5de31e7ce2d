/** The cells of a Jupyter notebook (nbformat 4). */
import * as z from "../../../shared/zod.ts";

const multiline = z.pipe(
  z.union([z.string(), z.array(z.string())]),
  z.transform((text) => (typeof text === "string" ? text : text.join(""))),
);

const outputSchema = z.object({
  output_type: z.string(),
  name: z.catch(z.optional(z.string()), undefined),
  text: z.optional(multiline),
  /** By type; what is text is one text. */
  data: z.optional(z.record(z.string(), z.union([multiline, z.unknown()]))),
  ename: z.optional(z.string()),
  evalue: z.optional(z.string()),
  traceback: z.catch(z.optional(z.array(z.string())), undefined),
});
export type CellOutput = z.output<typeof outputSchema>;

const notebookSchema = z.object({
  nbformat_minor: z.catch(z.optional(z.number()), undefined),
  cells: z.array(
    z.object({
      id: z.catch(z.optional(z.string()), undefined),
      cell_type: z.string(),
      source: multiline,
      execution_count: z.nullish(z.number()),
      outputs: z.optional(z.array(outputSchema)),
    }),
  ),
  metadata: z.catch(
    z.optional(z.object({ language_info: z.optional(z.object({ name: z.string() })) })),
    undefined,
  ),
});

export interface NotebookCell {
  /** Its own, or its position as in `#3` where cells have none; such an id only means anything until the notebook changes. */
  id: string;
  type: string;
  source: string;
  executionCount: number | undefined;
  outputs: readonly CellOutput[];
}

export interface NotebookCells {
  cells: readonly NotebookCell[];
  /** Of its code; "": unknown. */
  language: string;
  /** Whether each cell has an id of its own, which no other cell has. */
  hasIds: boolean;
  /** Whether a new cell needs an id: cells have had ids since version 4.5. */
  wantsIds: boolean;
}

/** undefined: not a notebook of version 4. */
export function notebookCells(json: string): NotebookCells | undefined {
  const parsed = notebookSchema.safeParse(parsedJson(json));
  if (!parsed.success) return undefined;
  const { cells, metadata, nbformat_minor: minor = 0 } = parsed.data;
  const ids = cells.flatMap(({ id }) => (id === undefined || id === "" ? [] : [id]));
  const hasIds = new Set(ids).size === cells.length;
  return {
    cells: cells.map((cell, index) => ({
      id: hasIds ? (cell.id ?? "") : `#${index + 1}`,
      type: cell.cell_type,
      source: cell.source,
      executionCount: cell.execution_count ?? undefined,
      outputs: cell.outputs ?? [],
    })),
    language: metadata?.language_info?.name ?? "",
    hasIds,
    wantsIds: hasIds && (cells.length > 0 || minor >= 5),
  };
}

function parsedJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // What is not JSON is no notebook.
    return undefined;
  }
}
