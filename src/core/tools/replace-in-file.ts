import * as z from "zod";
import { applySearchReplace } from "../edits/apply-blocks.ts";
import { createDiffStream } from "../edits/stream.ts";
import { ToolError } from "../errors.ts";
import {
  editInvocation,
  readOriginal,
  refuseToQuote,
  StreamedEdit,
  savedFile,
} from "./editing/edit-session.ts";
import { pathNames } from "./shared-names.ts";
import { defineTool } from "./tool.ts";
import { displayPath, resolvePath } from "./tool-paths.ts";

export const replaceInFile = defineTool({
  name: "replace_in_file",
  paramNames: { path: pathNames, diff: ["changes", "blocks"] },
  oldResult: { shows: savedFile },
  face: {
    icon: "edit",
    title: { doing: "Editing", done: "Edited" },
    row: "tool",
    opens: ["file", "diff"],
  },
  access: "edit",
  description:
    "Changes parts of an existing file. Each SEARCH/REPLACE block names whole lines as they stand in the file and the lines that take their place. All blocks are located in the file as it is now; if one does not fit exactly one place, nothing is changed and the answer says why.",
  schema: z.object({
    path: z.string().describe("File to change, relative to the working directory."),
    diff: z
      .string()
      .describe(
        [
          "One or more blocks of this form:",
          "------- SEARCH",
          "(lines as they are in the file)",
          "=======",
          "(lines that replace them; none to delete)",
          "+++++++ REPLACE",
          "Copy the searched lines whole, with their indentation. Give just enough of them to be found in one place only. Several changes to one file go into one call, a block each.",
        ].join("\n"),
      ),
  }),
  subjectParam: "path",
  stream: (context) =>
    new StreamedEdit(context, "diff", (original) => {
      const diff = createDiffStream(original?.text ?? "");
      return { push: (delta) => (diff.push(delta).length > 0 ? diff.preview() : undefined) };
    }),
  async prepare({ path: named, diff }, context, stream) {
    const { workspace } = context.host;
    const path = resolvePath(workspace, named);
    const original = await readOriginal(context, path);
    const result = applySearchReplace(original?.text ?? "", diff);
    const shown = displayPath(workspace, path);
    if (!result.ok) {
      if (original) await refuseToQuote(context, path);
      const missing = original ? "" : ` There is no file at ${shown} yet; write_to_file creates one.`;
      throw new ToolError(`${result.error}\n${shown} was not changed.${missing}`);
    }
    return editInvocation(context, path, original, result.content, stream);
  },
});
