import * as z from "../../shared/zod.ts";
import { ToolError } from "../errors.ts";
import { bareLines, sliceWhole } from "../text.ts";
import { readContent } from "./content/file-content.ts";
import { defineTool, PATH_NAMES, type ShownFile, textOutput } from "./tool.ts";
import { displayPath, locatePath, statOf } from "./tool-paths.ts";

export const readFile = defineTool({
  name: "read_file",
  aliases: [{ name: "readFile", params: { path: "path" }, text: "path" }],
  paramNames: {
    path: PATH_NAMES,
    start_line: ["line_start", "from_line", "start"],
    end_line: ["line_end", "to_line", "end"],
  },
  presentation: {
    icon: "file",
    title: { doing: "Reading", done: "Read" },
    row: "tool",
    opens: ["file"],
    work: "read",
    found: { one: "1 line", many: "{0} lines", range: "lines {0}" },
  },
  access: "read",
  description:
    "Reads text, PDF, docx, xlsx, ipynb (by cells) and images. Long files come in pages; the result names the next start_line. With start_line or end_line (inclusive), each line begins with its number and ' | ', which are not in the file.",
  guide: {
    description:
      "Reads a file. PDF, docx, xlsx and ipynb files come as text, and images as images. Use it before you change a file or rely on what it contains; it does not list folders. A long file comes in pages, and the result names the start_line of the next one.",
    params: {
      path: "Path of the file, relative to the working directory or absolute.",
      start_line:
        'First line to read, counted from 1. With start_line or end_line, each line begins with its number and " | ", which are not part of the file. Default: the first line.',
      end_line: "Last line to read, included. Default: the last line.",
    },
  },
  schema: z.object({
    path: z.string().check(z.describe("The file to read.")),
    start_line: z.optional(z.int().check(z.gte(1))).check(z.describe("First line, from 1.")),
    end_line: z.optional(z.int().check(z.gte(1))).check(z.describe("Last line.")),
  }),
  subjectParam: "path",
  resultShortening: { firstLine: false, shows: linesShown },
  async prepare({ path: named, start_line: start, end_line: end }, context) {
    const { host } = context;
    const path = await locatePath(host, named);
    const shown = displayPath(host.workspace, path);
    if (start !== undefined && end !== undefined && end < start) {
      throw new ToolError(`end_line (${end}) is before start_line (${start}).`);
    }
    return {
      paths: [{ path, access: "read" }],
      view: { path: shown },
      async run({ signal }) {
        const stat = await statOf(context, path);
        if (stat.kind === "directory") {
          throw new ToolError(`${shown} is a folder. list_files lists its contents.`);
        }
        const content = await readContent(context, path, shown, stat, signal);
        if (content.kind === "image") {
          const { mimeType, data, about } = content;
          return {
            parts: [
              { type: "text", text: `${shown} is a ${about}:` },
              { type: "image", mimeType, data },
            ],
            shown: { text: about },
          };
        }
        if (content.version !== undefined) context.seen.set(path, content.version);
        const limit = context.settings().context.maxResultCharacters;
        const page = pageOf(content.text, start ?? 1, end, limit, start !== undefined || end !== undefined);
        if (page.from > page.total && (page.total > 0 || page.from > 1)) {
          throw new ToolError(`${shown} has ${page.total} lines; start_line ${page.from} is past its end.`);
        }
        const notes = [content.facts.join(", "), page.note].filter((note) => note !== "");
        const text = notes.length > 0 ? `(${notes.join("; ")})\n${page.text}` : page.text;
        const images = (content.images ?? []).filter(({ mark }) => page.text.includes(mark));
        const output = textOutput(text === "" ? "(the file is empty)" : text, { text: lineCount(page) });
        for (const { mimeType, data } of images) output.parts.push({ type: "image", mimeType, data });
        return output;
      },
    };
  },
});

function linesShown(
  { path, start_line: start, end_line: end }: Readonly<Record<string, unknown>>,
  text: string,
): ShownFile | undefined {
  if (typeof path !== "string") return undefined;
  const paged = /^\([^\n]*continue with start_line \d+\)/.test(text);
  return {
    path,
    lines: start === undefined && end === undefined && !paged ? "" : `${start ?? 1}-${end ?? ""}`,
  };
}

interface Page {
  text: string;
  from: number;
  to: number;
  total: number;
  note: string;
}

function lineCount(page: Page): string {
  return page.from === 1 && page.to === page.total
    ? `${page.total}`
    : `${page.from}-${page.to} / ${page.total}`;
}

/** Lines `from` to `end`, as many as fit into `limit` characters. Longer lines are truncated, with a note. */
function pageOf(text: string, from: number, end: number | undefined, limit: number, numbered: boolean): Page {
  const lines = bareLines(text);
  const total = lines.length;
  const last = Math.min(end ?? total, total);
  const taken: string[] = [];
  let size = 0;
  let line = from;
  let cut = "";
  for (; line <= last; line++) {
    const content = lines[line - 1] ?? "";
    const shown = numbered ? `${line} | ${content}` : content;
    if (size + shown.length > limit) {
      if (taken.length > 0) break;
      taken.push(sliceWhole(shown, 0, limit));
      cut = `line ${line} has ${content.length} characters, only the first ${limit} are shown; a command such as cut -c shows the rest`;
      line++;
      break;
    }
    taken.push(shown);
    size += shown.length + 1;
  }
  const to = line - 1;
  const more = to < last ? `lines ${from} to ${to} of ${total}; continue with start_line ${to + 1}` : "";
  const note = [cut, more].filter((part) => part !== "").join("; ");
  const whole = to === total && text.endsWith("\n") && !numbered ? "\n" : "";
  return { text: taken.join("\n") + whole, from, to, total, note };
}
