import * as z from "../../shared/zod.ts";
import { applySearchReplace, type EditResult } from "../edits/apply-blocks.ts";
import { createDiffStream } from "../edits/stream.ts";
import { ToolError } from "../errors.ts";
import { READ_THEN_EDIT, readOriginal, refuseStale, refuseToQuote } from "./editing/original-file.ts";
import { prepareStreamed } from "./editing/prepared-edit.ts";
import { savedFile } from "./editing/saved-text.ts";
import { StreamedEdit } from "./editing/streamed-edit.ts";
import { defineTool, PATH_NAMES, type ToolContext } from "./tool.ts";
import { displayPath, locatePath, nothingAt } from "./tool-paths.ts";

/** How a model writes blocks. */
export const BLOCK_FORM = `One or more blocks, each exactly of this form:
------- SEARCH
(the lines as they are in the file)
=======
(the lines to put in their place; none to delete them)
+++++++ REPLACE
Copy whole lines exactly, with their indentation.`;

export const replaceInFile = defineTool({
  name: "replace_in_file",
  paramNames: { path: PATH_NAMES, diff: ["changes", "blocks"] },
  resultShortening: { shows: savedFile },
  presentation: {
    icon: "edit",
    title: { doing: "Editing", done: "Edited" },
    row: "tool",
    opens: ["file", "diff"],
  },
  access: "edit",
  description: "Changes parts of a file, or nothing if a block does not match exactly one place.",
  guide: {
    description:
      "Changes parts of an existing file. Each block has lines that are there now, and the lines to put in their place. If a block fits no place in the file, or more than one, nothing is changed and the result shows the nearest lines. Otherwise it names the changed lines.",
    params: {
      path: "Path of the file to change.",
      diff: `${BLOCK_FORM} EDITING FILES says more.`,
    },
  },
  schema: z.object({
    path: z.string().check(z.describe("The file to change.")),
    diff: z
      .string()
      .check(
        z.describe(
          [
            "One or more blocks of this form:",
            "------- SEARCH",
            "(lines as they are in the file)",
            "=======",
            "(lines that replace them; none to delete)",
            "+++++++ REPLACE",
            "Copy whole lines with their indentation, just enough to match one place. One block for each change; all are compared with the file as it was before the call.",
          ].join("\n"),
        ),
      ),
  }),
  subjectParam: "path",
  stream: (context) => new StreamedDiff(context),
  async prepare({ path: named, diff }, context, stream) {
    const { workspace } = context.host;
    const path = await locatePath(context.host, named);
    const original = await readOriginal(context, path);
    refuseStale(context, path, { version: original?.version, change: "in place", advice: READ_THEN_EDIT });
    const version = original?.version ?? null;
    const streamed = stream instanceof StreamedDiff ? await stream.take(path, version, diff) : undefined;
    const result = streamed?.result ?? applySearchReplace(original?.text ?? "", diff, { path });
    const shown = displayPath(workspace, path);
    if (!result.ok) {
      await streamed?.preview?.discard();
      if (original) await refuseToQuote(context, path);
      if (original) throw new ToolError(`${result.error}\n${shown} was not changed.`);
      // A misspelled path is more likely than a new file, which would need no SEARCH.
      throw new ToolError(
        `${await nothingAt(context, path)} write_to_file creates a new file.\n${result.error}`,
      );
    }
    const target = { path, original, text: result.content };
    return (await prepareStreamed(context, target, streamed)).invocation(diff, result.leftOut);
  },
});

/** Locates the blocks while they stream; the call with the same diff reuses the result. */
class StreamedDiff extends StreamedEdit<EditResult> {
  constructor(context: ToolContext) {
    super(context, "diff", (original, path) => {
      const diff = createDiffStream(original?.text ?? "", path);
      return {
        push: (delta) => (diff.push(delta).length > 0 ? diff.preview() : undefined),
        end: () => diff.end(),
      };
    });
  }
}
