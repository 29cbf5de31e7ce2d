import { extname } from "node:path";
import * as z from "../../shared/zod.ts";
import { ToolError } from "../errors.ts";
import { notebookCells } from "./notebooks/notebook-cells.ts";
import { defineTool, PATH_NAMES, textOutput } from "./tool.ts";
import { displayPath, locatePath, statOf } from "./tool-paths.ts";

export const runCell = defineTool({
  name: "run_cell",
  paramNames: { path: ["notebook_path", ...PATH_NAMES], cell: ["cell_id", "id"] },
  presentation: {
    icon: "terminal",
    title: { doing: "Run cell", running: "Running cell", done: "Ran cell" },
    row: "tool",
    question: "Run this cell?",
  },
  access: "command",
  needs: "kernels",
  description: "Runs one code cell of a Jupyter notebook in its kernel, and returns its output.",
  guide: {
    description:
      "Runs one code cell of a Jupyter notebook in the kernel that the user selected for it. The result has its output, errors and images, which the notebook keeps too. What the cell needs of other cells must have run before.",
    params: { path: "Path of the notebook.", cell: "The id of the cell, which read_file shows." },
  },
  schema: z.object({
    path: z.string().check(z.describe("The notebook.")),
    cell: z.string().check(z.describe("The id of the cell.")),
  }),
  subject: ({ path, cell }) => [path, cell].filter((part) => typeof part === "string").join(" "),
  async prepare({ path: named, cell: id }, context) {
    const { files, kernels, workspace } = context.host;
    if (!kernels) throw new ToolError("Cells cannot run here. Run the code with execute_command.");
    if (!workspace.trusted) throw new ToolError("The workspace is not trusted, so cells cannot run in it.");
    const path = await locatePath(context.host, named);
    const shown = displayPath(workspace, path);
    if (extname(path).toLowerCase() !== ".ipynb" || (await statOf(context, path)).kind !== "file")
      throw new ToolError(`${shown} is not a Jupyter notebook (.ipynb).`);
    const cells = notebookCells((await files.readText(path)).text)?.cells ?? [];
    const index = cells.findIndex((cell) => cell.id === id.trim());
    const cell = cells[index];
    if (!cell) throw new ToolError(`${shown} has no cell ${JSON.stringify(id)}. read_file shows the ids.`);
    if (cell.type !== "code") throw new ToolError(`Cell ${cell.id} is ${cell.type}. Only code cells run.`);
    const { source } = cell;
    return {
      paths: [{ path, access: "read" }],
      runsInEditor: true,
      // What is approved is this text, and nothing else runs.
      view: { command: source, path: shown },
      async run({ signal }) {
        const isKnown = context.seen.get(path) === (await files.stat(path))?.version;
        const { outputs, success, durationMs } = await kernels.run(path, { index, source }, signal);
        // The output is a change of the notebook that the model knows.
        const version = isKnown ? (await files.stat(path))?.version : undefined;
        if (version !== undefined) context.seen.set(path, version);
        const { outputsText } = await import("./late-parts.ts");
        const printed = outputsText(outputs, context.seesImages());
        const failed = success === false || outputs.some((each) => each.output_type === "error");
        const result = `The cell ${failed ? "failed" : "ran"}. ${printed.text === "" ? "It printed nothing." : `Output:\n${printed.text}`}`;
        const images = printed.images.map(({ mimeType, data }) => ({
          type: "image" as const,
          mimeType,
          data,
        }));
        const output = textOutput(result, {
          output: printed.text,
          ...(durationMs === undefined ? {} : { durationMs }),
        });
        return {
          ...output,
          parts: [...output.parts, ...images],
          ...(failed ? { outcome: "failed" as const } : {}),
        };
      },
    };
  },
});
