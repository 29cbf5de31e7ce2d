import * as z from "../../shared/zod.ts";
import { findElision } from "../edits/blocks/elision.ts";
import { NothingToDo, ToolError } from "../errors.ts";
import { lineEndings, withEol } from "../text.ts";
import { readOriginal, refuseStale, refuseToQuote } from "./editing/original-file.ts";
import { omissionDoubt, prepareStreamed, withOneMark } from "./editing/prepared-edit.ts";
import { SAVED, savedFile } from "./editing/saved-text.ts";
import { StreamedEdit } from "./editing/streamed-edit.ts";
import {
  CONTENT_NAMES,
  defineTool,
  PATH_NAMES,
  type ShownFile,
  type Tool,
  type ToolContext,
} from "./tool.ts";
import { displayPath, locatePath } from "./tool-paths.ts";

export const writeToFile = defineTool({
  name: "write_to_file",
  aliases: [
    {
      name: "writeFile",
      params: { path: "path", content: "content" },
      text: "",
      contract: (tool) => async (params, context, stream) => {
        const { path, exists } = await targetOf(tool, params, context);
        if (exists)
          throw new ToolError(
            `writeFile creates a new file, but ${path} exists. Use editFile to replace its content.`,
          );
        return tool.prepare(params, context, stream);
      },
    },
    {
      name: "editFile",
      params: { path: "path", new_content: "content" },
      text: "",
      contract: (tool) => async (params, context, stream) => {
        const { named, exists } = await targetOf(tool, params, context);
        if (!exists)
          throw new ToolError(
            `editFile replaces a file, but ${named} does not exist. Use writeFile to create it.`,
          );
        return tool.prepare(params, context, stream);
      },
    },
  ],
  paramNames: { path: PATH_NAMES, content: CONTENT_NAMES },
  // The call has the whole file, except what the result shows of it.
  resultShortening: { shows: (params, text) => savedFile(params, text) ?? fileOfCall(params, text) },
  presentation: {
    icon: "edit",
    title: { doing: "Writing", done: "Wrote" },
    row: "tool",
    opens: ["file", "diff"],
  },
  access: "edit",
  description: "Creates a file and its folders, or replaces a whole file.",
  guide: {
    description:
      "Creates a file and the folders that it needs, or replaces the whole content of an existing file, which keeps its encoding and line endings.",
    params: {
      path: "Path of the file to create or replace.",
      content:
        'The complete text of the file, from the first line to the last. Text such as "... rest unchanged" in place of lines is refused, because it would delete them.',
    },
  },
  schema: z.object({
    path: z.string().check(z.describe("The file to write.")),
    content: z.string().check(z.describe("All lines, none abbreviated.")),
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
    const path = await locatePath(context.host, named);
    const original = await readOriginal(context, path);
    const shown = displayPath(workspace, path);
    refuseStale(context, path, {
      version: original?.version,
      change: "whole",
      advice: "Read it again, then write.",
    });
    const elision = findElision(content, original?.text);
    if (elision && original) {
      throw new ToolError(
        `Line ${elision.line} of the content is a placeholder for omitted code: ${elision.text.trim()}\nNothing was written. Send the complete content, or use replace_in_file to change a part.`,
      );
    }
    const text = withOneMark(sameEnding(content, original?.text), original);
    if (original && text === original.text) {
      await refuseToQuote(context, path);
      throw new NothingToDo(`${shown} already has exactly this content. Nothing was written.`);
    }
    const version = original?.version ?? null;
    const streamed =
      stream instanceof StreamedContent ? await stream.take(path, version, content) : undefined;
    const edit = await prepareStreamed(context, { path, original, text }, streamed, elision !== undefined);
    return elision ? { ...edit.invocation(content), ...omissionDoubt(elision) } : edit.invocation(content);
  },
});

function fileOfCall({ path }: Readonly<Record<string, unknown>>, text: string): ShownFile | undefined {
  return typeof path === "string" && text.startsWith(SAVED) ? { path, lines: "" } : undefined;
}

/** Complete content needs no locating: the text that streamed is the result. */
class StreamedContent extends StreamedEdit<undefined> {}

/** The path as the call names it and as it is displayed, and whether it exists. */
async function targetOf(tool: Tool, params: unknown, { host }: ToolContext) {
  const named = String(tool.input.check(params).path);
  const target = await locatePath(host, named);
  const exists = Boolean(await host.files.stat(target));
  return { named, path: displayPath(host.workspace, target), exists };
}

/** Models write LF; a file that uses CRLF keeps it. */
function sameEnding(text: string, original: string | undefined): string {
  const eol = original === undefined ? undefined : lineEndings(original).dominant;
  return eol === undefined || eol === "\n" ? text : withEol(text, eol);
}
