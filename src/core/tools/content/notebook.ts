/** Jupyter notebooks as text: cells under headings, with their output. */
import * as z from "zod/mini";

const lines = z.pipe(
  z.union([z.string(), z.array(z.string())]),
  z.transform((text) => (typeof text === "string" ? text : text.join(""))),
);

const outputSchema = z.object({
  output_type: z.string(),
  text: z.optional(lines),
  data: z.optional(z.record(z.string(), z.unknown())),
  ename: z.optional(z.string()),
  evalue: z.optional(z.string()),
});

const notebookSchema = z.object({
  cells: z.array(
    z.object({
      cell_type: z.string(),
      source: lines,
      execution_count: z.nullish(z.number()),
      outputs: z.optional(z.array(outputSchema)),
    }),
  ),
  metadata: z.optional(z.object({ language_info: z.optional(z.object({ name: z.string() })) })),
});

/** Characters of one cell's output that are included. */
const OUTPUT_LIMIT = 4_000;

/** undefined: not a notebook of version 4. */
export function notebookText(json: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  const parsed = notebookSchema.safeParse(value);
  if (!parsed.success) return undefined;
  const { cells, metadata } = parsed.data;
  const language = metadata?.language_info?.name ?? "";
  const sections = cells.map(({ cell_type: type, source, execution_count: count, outputs = [] }, index) => {
    const run = typeof count === "number" ? `, run ${count}` : "";
    const body = type === "code" ? `\`\`\`${language}\n${source}\n\`\`\`` : source;
    const printed = outputs
      .map(outputText)
      .filter((text) => text !== "")
      .join("\n");
    const shown =
      printed.length > OUTPUT_LIMIT
        ? `${printed.slice(0, OUTPUT_LIMIT)}\n[... ${printed.length - OUTPUT_LIMIT} characters omitted]`
        : printed;
    return [
      `## Cell ${index + 1} (${type}${run})`,
      body,
      ...(shown === "" ? [] : [`Output:\n${shown}`]),
    ].join("\n\n");
  });
  return sections.join("\n\n");
}

function outputText(output: z.infer<typeof outputSchema>): string {
  if (output.output_type === "error") return `${output.ename ?? "Error"}: ${output.evalue ?? ""}`;
  if (output.text !== undefined) return output.text.trimEnd();
  const plain = lines.safeParse(output.data?.["text/plain"]);
  if (plain.success) return plain.data;
  const kinds = Object.keys(output.data ?? {});
  return kinds.length > 0 ? `[${kinds.join(", ")}]` : "";
}
