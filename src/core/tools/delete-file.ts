import * as z from "../../shared/zod.ts";
import { bareLines } from "../text.ts";
import { expectedFile, keepContent, refuseStale } from "./editing/original-file.ts";
import { defineTool, PATH_NAMES } from "./tool.ts";
import { displayPath, locatePath } from "./tool-paths.ts";

export const deleteFile = defineTool({
  name: "delete_file",
  paramNames: { path: PATH_NAMES },
  presentation: {
    icon: "close",
    title: { doing: "Deleting", done: "Deleted" },
    row: "tool",
    question: "Delete this file?",
    approve: "Delete",
  },
  access: "edit",
  description: "Deletes one file, not a folder.",
  guide: {
    description: "Deletes one file, not a folder. The user can restore it.",
    params: {
      path: "Path of the file to delete.",
    },
  },
  schema: z.object({ path: z.string().check(z.describe("The file to delete.")) }),
  subjectParam: "path",
  async prepare({ path: named }, context) {
    const { host } = context;
    const path = await locatePath(host, named);
    const shown = displayPath(host.workspace, path);
    const { size, ...expected } = await expectedFile(context, path);
    refuseStale(context, path, {
      version: expected.version,
      change: "whole",
      advice: "Read it again, then delete it.",
    });
    const backup = await keepContent(host.files, path, shown, size);
    const removed = backup?.encoding === "utf8" ? bareLines(backup.content).length : undefined;
    const counts = removed === undefined ? {} : { added: 0, removed };
    return {
      paths: [{ path, access: "write" }],
      view: { path: shown, ...counts },
      async run() {
        await host.editor.remove(path, expected);
        context.writers?.wrote(path);
        context.seen.delete(path);
        const note = backup ? "" : " It was too large to keep a copy of.";
        return {
          parts: [{ type: "text", text: `${shown} was deleted.${note}` }],
          shown: counts,
          ...(backup ? { removed: [backup] } : {}),
        };
      },
    };
  },
});
