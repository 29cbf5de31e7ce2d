import * as z from "../../shared/zod.ts";
import type { SearchHit } from "../ports/search.ts";
import { visibleName } from "../text.ts";
import { type FoundHit, shownHits } from "./content/found-hits.ts";
import { defineTool, type Invocation, PATH_NAMES, type ToolContext, textOutput } from "./tool.ts";
import { displayPath, locatePath, statOf } from "./tool-paths.ts";

const MATCH_LIMIT = 300;
const LINE_LIMIT = 400;

export const searchFiles = defineTool({
  name: "search_files",
  aliases: [
    {
      name: "searchInDirectory",
      params: { directory: "path", keyword: "regex" },
      text: "",
      convert: { regex: (keyword) => (typeof keyword === "string" ? escapeRegex(keyword) : keyword) },
      contract: (tool) => async (params, context, stream) => {
        const invocation = await tool.prepare(params, context, stream);
        return { ...invocation, run: ({ signal }) => filesWith(tool.input.check(params), context, signal) };
      },
    },
  ],
  paramNames: {
    path: PATH_NAMES,
    regex: ["pattern", "query", "regexp", "search_pattern"],
    file_pattern: ["glob", "include", "include_pattern"],
  },
  presentation: {
    icon: "search",
    title: { doing: "Searching for", done: "Searched for" },
    row: "tool",
    found: { one: "1 match", many: "{0} matches" },
  },
  access: "read",
  description: "Searches all files below a folder.",
  guide: {
    description:
      "Searches the content of all files in a folder and its subfolders, without ignored and binary ones. Use it to find where something is defined or used. The result shows up to 300 matches, with line numbers and the lines around them; if there are more, narrow the search.",
    params: {
      path: 'The folder to search; "." is the whole project.',
      regex:
        "A case-sensitive regular expression in Rust syntax, which has no lookaround or backreferences. Escape characters such as ( . [ that you mean literally.",
      multiline: "true lets a match span lines. Default: false.",
      file_pattern: "A glob of the files to search, such as *.ts. Default: all.",
      context_lines: "Lines to show before and after each match. Default: 2.",
    },
  },
  schema: z.object({
    path: z.string().check(z.describe('The folder; "." is the project.')),
    regex: z
      .string()
      .check(z.describe("Rust syntax, case-sensitive, without lookaround. Write \\( for a literal (.")),
    multiline: z.optional(z.boolean()).check(z.describe("Lets a match span lines.")),
    file_pattern: z.optional(z.string()).check(z.describe("Glob, such as *.ts.")),
    context_lines: z
      .optional(z.int().check(z.gte(0), z.lte(20)))
      .check(z.describe("Around a match; default: 2.")),
  }),
  subjectParam: "regex",
  async prepare({ path: named, regex, multiline, file_pattern: glob, context_lines: contextLines }, context) {
    const { host } = context;
    const path = await locatePath(host, named);
    const shown = displayPath(host.workspace, path);
    return {
      paths: [{ path, access: "read" }],
      view: { path: shown },
      async run({ signal }) {
        await statOf(context, path);
        const {
          hits,
          matches,
          more,
          unread = [],
          noFile,
        } = await host.search.grep(path, {
          regex,
          ...(multiline === undefined ? {} : { multiline }),
          ...(glob === undefined ? {} : { glob }),
          contextLines: contextLines ?? 2,
          limit: MATCH_LIMIT,
          signal,
        });
        const left = describeUnread(unread);
        if (noFile) {
          const text = `No file in ${shown} matches the file_pattern ${visibleName(glob ?? "")}, so nothing was searched.`;
          return textOutput(text + left, { text: "0" });
        }
        if (matches === 0) {
          const nothing = left === "" ? "Nothing" : "Nothing that could be read";
          return textOutput(`${nothing} in ${shown} matches.${left}`, { text: "0" });
        }
        const max = context.settings().context.maxResultCharacters;
        const text = describeHits(hits, matches, more, max) + left;
        return textOutput(text, {
          text: `${matches}${more ? "+" : ""}`,
          ...shownHits(host.workspace, path, matchesIn(hits)),
        });
      },
    };
  },
});

function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** Matches that are examined; high, so that a file with many matches does not hide others. */
const MOST_MATCHES = 20_000;

/** Only the paths of the matching files, one per line. */
async function filesWith(
  params: Record<string, unknown>,
  context: ToolContext,
  signal: AbortSignal,
): ReturnType<Invocation["run"]> {
  const { host } = context;
  const path = await locatePath(host, String(params.path));
  await statOf(context, path);
  const options = { regex: String(params.regex), contextLines: 0, limit: MOST_MATCHES, signal };
  const { hits, more, unread = [] } = await host.search.grep(path, options);
  const lines = hits.map((hit) => hit.path);
  if (more) lines.push("(There are more. Search a smaller folder.)");
  if (unread.length > 0) lines.push(`(Not searched: ${unread.slice(0, MOST_UNREAD).join(", ")})`);
  if (lines.length === 0) lines.push(`No file in ${displayPath(host.workspace, path)} contains it.`);
  const files = hits.map((hit) => ({ path: hit.path }));
  return textOutput(lines.join("\n"), {
    text: String(hits.length),
    ...shownHits(host.workspace, path, files),
  });
}

/** The lines that match, without those around them. */
function matchesIn(hits: readonly SearchHit[]): FoundHit[] {
  return hits.flatMap(({ path, lines }) =>
    lines.flatMap(({ number: line, text, match }) => (match ? [{ path, line, text }] : [])),
  );
}

const MOST_UNREAD = 5;

function describeUnread(unread: readonly string[]): string {
  if (unread.length === 0) return "";
  const rest = unread.length > MOST_UNREAD ? [`(${unread.length - MOST_UNREAD} more)`] : [];
  return `\n\nNot searched:\n${[...unread.slice(0, MOST_UNREAD).map(visibleName), ...rest].join("\n")}`;
}

/** Lines by file with line numbers, matches marked with `>`. `limit`: characters; omitted files are counted. */
function describeHits(hits: readonly SearchHit[], matches: number, more: boolean, limit: number): string {
  const lines: string[] = [
    `${matches}${more ? " or more" : ""} match${matches === 1 ? "" : "es"} in ${hits.length} file${hits.length === 1 ? "" : "s"}`,
  ];
  let size = 0;
  let leftOut = 0;
  for (const hit of hits) {
    const section = sectionOf(hit);
    const added = section.reduce((sum, line) => sum + line.length + 1, 0);
    if (size > 0 && size + added > limit) {
      leftOut++;
      continue;
    }
    size += added;
    lines.push(...(added > limit ? [section.join("\n").slice(0, limit)] : section));
  }
  return [...lines, ...omissionNote(leftOut, more)].join("\n");
}

/** Says what is missing from the result and how to see it; no lines if it is complete. `omitted`: files. */
function omissionNote(omitted: number, more: boolean): string[] {
  if (omitted === 0 && !more) return [];
  const files = omitted > 0 ? `${omitted} more file${omitted === 1 ? "" : "s"} with matches omitted. ` : "";
  return ["", `(${files}Narrow the search by path, file_pattern or a longer expression to see the rest.)`];
}

function sectionOf({ path, lines }: SearchHit): string[] {
  const section = ["", visibleName(path)];
  let previous: number | undefined;
  for (const { number, text, match } of lines) {
    if (previous !== undefined && number > previous + 1) section.push("  ...");
    previous = number;
    const shown = text.length > LINE_LIMIT ? `${text.slice(0, LINE_LIMIT)} [...]` : text;
    section.push(`${match ? ">" : " "} ${number} | ${shown}`);
  }
  return section;
}
