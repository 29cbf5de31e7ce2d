import { basename, dirname, join } from "node:path";
import * as z from "../../shared/zod.ts";
import { messageOf, ToolError, throwIfAborted } from "../errors.ts";
import { truncateMiddle, visibleName } from "../text.ts";
import { type FoundHit, shownHits } from "./content/found-hits.ts";
import { LANGUAGES, languageByName } from "./definitions/languages.ts";
import { type Definition, outlineOf } from "./definitions/outline.ts";
import { defineTool, PATH_NAMES, type ToolContext, textOutput } from "./tool.ts";
import { displayPath, locatePath, statOf } from "./tool-paths.ts";

/** Files of one folder that are parsed, and bytes of the largest. */
const FILE_LIMIT = 200;
const SIZE_LIMIT = 2_000_000;
/** Files that are listed to find those at the top level of the folder. */
const SCAN_LIMIT = 20_000;

export const listCodeDefinitionNames = defineTool({
  name: "list_code_definition_names",
  paramNames: { path: PATH_NAMES },
  presentation: {
    icon: "list-unordered",
    title: { doing: "Listing definitions in", done: "Listed definitions in" },
    row: "tool",
    found: { one: "1 definition", many: "{0} definitions" },
  },
  access: "read",
  description: "Lists definitions and their lines in a source file, or in those directly in a folder.",
  guide: {
    description:
      "Lists the classes, functions, types and methods in a source file, or in all source files directly in a folder, with their line ranges. Use it for an overview, then read the lines that matter.",
    params: {
      path: "A source file, or a folder without its subfolders.",
    },
  },
  schema: z.object({
    path: z.string().check(z.describe("A file or a folder.")),
  }),
  subjectParam: "path",
  async prepare({ path: named }, context) {
    const { host } = context;
    const path = await locatePath(host, named);
    const shown = displayPath(host.workspace, path);
    return {
      paths: [{ path, access: "read" }],
      view: { path: shown },
      async run({ signal }) {
        const stat = await statOf(context, path);
        const limit = context.settings().context.maxResultCharacters;
        if (stat.kind === "directory") return ofFolder(context, path, shown, limit, signal);
        if (!languageByName(basename(path))) {
          const known = LANGUAGES.flatMap(({ extensions }) => extensions).join(" ");
          throw new ToolError(
            `The definitions of ${shown} cannot be listed; only those of files ending in ${known} can. Use read_file or search_files to see its content.`,
          );
        }
        const outline = await ofFile(context, path);
        if (typeof outline === "string") throw new ToolError(`${shown}: ${outline}`);
        if (outline.length === 0)
          return textOutput(`${shown} defines nothing at its top level.`, { text: "0" });
        const text = truncateMiddle(render(outline), {
          max: limit,
          next: "search_files finds a definition by its name",
        });
        return textOutput(`${shown}\n${text}`, {
          text: String(outline.length),
          ...shownHits(host.workspace, dirname(path), hitsOf(basename(path), outline)),
        });
      },
    };
  },
});

async function ofFolder(
  context: ToolContext,
  path: string,
  shown: string,
  limit: number,
  signal: AbortSignal,
): Promise<ReturnType<typeof textOutput>> {
  const { paths } = await context.host.search.files(path, { limit: SCAN_LIMIT, signal });
  const names = paths.filter((name) => !name.includes("/") && languageByName(name)).sort();
  const sections: string[] = [];
  const empty: string[] = [];
  const found: FoundHit[] = [];
  let size = 0;
  let looked = 0;
  for (const name of names.slice(0, FILE_LIMIT)) {
    throwIfAborted(signal);
    const refused = await context.unreadable(join(path, name));
    const outline = refused ?? (await ofFile(context, join(path, name)));
    if (typeof outline !== "string" && outline.length === 0) empty.push(visibleName(name));
    else {
      const section = `${visibleName(name)}\n${typeof outline === "string" ? `  (${outline})` : render(outline)}`;
      if (size > 0 && size + section.length > limit) break;
      size += section.length + 2;
      sections.push(truncateMiddle(section, { max: limit, next: "name this file alone" }));
      if (typeof outline !== "string") found.push(...hitsOf(name, outline));
    }
    looked++;
  }
  const omitted = names.length - looked;
  if (empty.length > 0) sections.push(`Without definitions: ${empty.join(", ")}`);
  if (omitted > 0) {
    sections.push(
      `(${omitted} more source files omitted, from ${visibleName(names[looked] ?? "")} on. Name a single file to see its definitions.)`,
    );
  }
  if (sections.length === 0) {
    return textOutput(
      `There are no source files at the top level of ${shown} in a supported language. list_files shows what is there.`,
      { text: "0" },
    );
  }
  return textOutput(sections.join("\n\n"), {
    text: String(found.length),
    ...shownHits(context.host.workspace, path, found),
  });
}

function hitsOf(path: string, outline: readonly Definition[]): FoundHit[] {
  return outline.map(({ startLine: line, text }) => ({ path, line, text }));
}

/** The definitions, or the reason why there are none. */
async function ofFile(context: ToolContext, path: string): Promise<Definition[] | string> {
  const { assets, files } = context.host;
  const language = languageByName(basename(path));
  if (!language) return "its language is not supported";
  try {
    const stat = await files.stat(path);
    if (stat && stat.size > SIZE_LIMIT) return "too large to parse; search_files finds text in it";
    const { text } = await files.readText(path);
    return (
      (await outlineOf(text, language, assets)) ?? "it takes too long to parse; search_files finds text in it"
    );
  } catch (error) {
    if (error instanceof ToolError) return messageOf(error);
    throw error;
  }
}

function render(outline: readonly Definition[]): string {
  const width = Math.max(...outline.map(({ startLine, endLine }) => rangeOf(startLine, endLine).length));
  return outline
    .map(
      ({ startLine, endLine, depth, text }) =>
        `${rangeOf(startLine, endLine).padStart(width)} | ${"  ".repeat(depth)}${text}`,
    )
    .join("\n");
}

function rangeOf(start: number, end: number): string {
  return start === end ? String(start) : `${start}-${end}`;
}
