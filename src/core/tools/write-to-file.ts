import * as z from "zod";
import { findElision } from "../edits/blocks/elision.ts";
import { ToolError } from "../errors.ts";
import { lineEndings, withEol } from "../text.ts";
import { readOriginal, refuseToQuote } from "./editing/original.ts";
import { prepareStreamed } from "./editing/prepared-edit.ts";
import { savedFile } from "./editing/saved-text.ts";
import { StreamedEdit } from "./editing/streamed-edit.ts";
import { contentNames, pathNames } from "./shared-names.ts";
import { defineTool, type Tool, type ToolContext } from "./tool.ts";
import { displayPath, resolvePath } from "./tool-paths.ts";

export const writeToFile = defineTool({
  name: "write_to_file",
  aliases: [
    {
      name: "writeFile",
      params: { path: "path", content: "content" },
      text: "",
      contract: (tool) => async (params, context, stream) => {
        const { path, isThere } = await lookAt(tool, params, context);
        if (isThere)
          throw new ToolError(
            `writeFile makes a new file, and ${path} exists. Replace its content with editFile.`,
          );
        return tool.prepare(params, context, stream);
      },
    },
    {
      name: "editFile",
      params: { path: "path", new_content: "content" },
      text: "",
      contract: (tool) => async (params, context, stream) => {
        const { named, isThere } = await lookAt(tool, params, context);
        if (!isThere)
          throw new ToolError(
            `editFile replaces a file, and there is none at ${named}. Make it with writeFile.`,
          );
        return tool.prepare(params, context, stream);
      },
    },
  ],
  paramNames: { path: pathNames, content: contentNames },
  oldResult: { shows: savedFile },
  face: {
    icon: "edit",
    title: { doing: "Writing", done: "Wrote" },
    row: "tool",
    opens: ["file", "diff"],
  },
  access: "edit",
  description:
    "Creates a file, or replaces the whole content of one. Missing parent folders are created. For a change to part of an existing file, replace_in_file is the better choice.",
  schema: z.object({
    path: z.string().describe("File to write, relative to the working directory."),
    content: z
      .string()
      .describe(
        "The complete content, every line of it: nothing left out, nothing abbreviated by a comment.",
      ),
  }),
  subjectParam: "path",
  stream: (context) =>
    new StreamedContent(context, "content", (original) => {
      const eol = original ? lineEndings(original.text).dominant : undefined;
      let text = "";
      return {
        push(delta) {
          text += eol === undefined || eol === "\n" ? delta : withEol(delta, eol);
          return text;
        },
        end: () => undefined,
      };
    }),
  async prepare({ path: named, content }, context, stream) {
    const { workspace } = context.host;
    const path = resolvePath(workspace, named);
    const original = await readOriginal(context, path);
    const shown = displayPath(workspace, path);
    const seen = context.seen.get(path);
    if (original && seen !== undefined && seen !== original.version) {
      throw new ToolError(
        `${shown} was changed by somebody else since you read it. Read it again, then write.`,
      );
    }
    const elision = findElision(content, original?.text);
    if (elision) {
      throw new ToolError(
        `Line ${elision.line} of the content stands for code that was left out: ${elision.text.trim()}\nNothing was written. Send the complete content, or use replace_in_file for a part.`,
      );
    }
    const text = sameEnding(content, original?.text);
    if (original && text === original.text) {
      await refuseToQuote(context, path);
      throw new ToolError(`${shown} already has exactly this content. Nothing was written.`);
    }
    const version = original?.version ?? null;
    const streamed =
      stream instanceof StreamedContent ? await stream.take(path, version, content) : undefined;
    return (await prepareStreamed(context, { path, original, text }, streamed)).invocation();
  },
});

/** Nothing is located in a whole content: the text that streamed is the result. */
class StreamedContent extends StreamedEdit<undefined> {}

/** The path as the call names it and as it is shown, and whether something is there. */
async function lookAt(tool: Tool, params: unknown, { host }: ToolContext) {
  const named = String(tool.input.check(params).path);
  const target = resolvePath(host.workspace, named);
  const isThere = Boolean(await host.files.stat(target));
  return { named, path: displayPath(host.workspace, target), isThere };
}

/** Models write LF; a file that uses CRLF keeps it. */
function sameEnding(text: string, original: string | undefined): string {
  const eol = original === undefined ? undefined : lineEndings(original).dominant;
  return eol === undefined || eol === "\n" ? text : withEol(text, eol);
}
