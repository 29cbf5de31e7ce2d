import * as z from "../../shared/zod.ts";
import { ToolError } from "../errors.ts";
import type { Workspace } from "../ports/workspace.ts";
import { visibleName } from "../text.ts";
import { shownHits } from "./content/found-hits.ts";
import { defineTool, PATH_NAMES, textOutput } from "./tool.ts";
import { displayPath, locatePath, statOf } from "./tool-paths.ts";

/** Entries in one result. */
const ENTRY_LIMIT = 500;
/** Files that are scanned to find the folders that contain a file that is not ignored. */
const SCAN_LIMIT = 50_000;

export const listFiles = defineTool({
  name: "list_files",
  aliases: [{ name: "list", params: { path: "path", recursive: "recursive" }, text: "path" }],
  paramNames: { path: PATH_NAMES },
  presentation: {
    icon: "folder",
    title: { doing: "Listing", done: "Listed" },
    row: "tool",
    found: { one: "1 entry", many: "{0} entries" },
  },
  access: "read",
  description: "Lists a folder without ignored files. Not for checking a write.",
  guide: {
    description:
      "Lists up to 500 files and folders in a folder, without ignored ones such as dependencies; names of folders end with /. Do not use it to check whether a file was written: the result of the edit says that.",
    params: {
      path: 'The folder to list; "." is the project folder.',
      recursive: "true lists all subfolders as well. Default: false.",
    },
  },
  schema: z.object({
    path: z.string().check(z.describe('The folder; "." is the project.')),
    recursive: z.optional(z.boolean()).check(z.describe("With subfolders.")),
  }),
  subjectParam: "path",
  async prepare({ path: named, recursive }, context) {
    const { host } = context;
    const path = await locatePath(host, named);
    const shown = displayPath(host.workspace, path);
    return {
      paths: [{ path, access: "read" }],
      view: { path: shown },
      async run({ signal }) {
        const stat = await statOf(context, path);
        if (stat.kind === "other")
          throw new ToolError(`${shown} is a pipe, a socket or a device and has no contents to list.`);
        if (stat.kind === "file") return textOutput(`${shown} is a file, not a folder. read_file reads it.`);
        const { paths, more } = await host.search.files(path, { limit: SCAN_LIMIT, signal });
        const all = recursive ? foldersFirst(paths) : topLevel(paths, await host.files.list(path), more);
        return listing(all, { workspace: host.workspace, path, shown }, more);
      },
    };
  },
});

function listing(
  all: string[],
  { workspace, path, shown }: { workspace: Workspace; path: string; shown: string },
  more: boolean,
): ReturnType<typeof textOutput> {
  if (all.length === 0)
    return textOutput(`${shown} contains no files (apart from ignored ones).`, { text: "0" });
  const lines = all.slice(0, ENTRY_LIMIT).map(visibleName);
  const omitted = all.length - lines.length;
  if (omitted > 0 || more) {
    const count = more ? "Many more" : `${omitted} more`;
    lines.push(`(${count} omitted. List a subfolder, or use search_files to find a file by its content.)`);
  }
  const hits = shownHits(
    workspace,
    path,
    all.map((entry) => ({ path: entry })),
  );
  return textOutput(lines.join("\n"), { text: `${all.length}${more ? "+" : ""}`, ...hits });
}

/** All folders and files below, each folder before its contents. */
function foldersFirst(paths: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1)) {
      folders.add(path.slice(0, slash + 1));
    }
  }
  return [...[...folders].sort(), ...[...paths].sort()];
}

/** The files of one folder, and its folders that contain a file that is not ignored. `incomplete`: all entries but `.git`. */
function topLevel(
  paths: readonly string[],
  entries: readonly { name: string; kind: string }[],
  incomplete: boolean,
): string[] {
  const kept = new Set(paths.map((path) => path.split("/", 1)[0] ?? path));
  const shown = entries.filter(({ name }) => kept.has(name) || (incomplete && name !== ".git"));
  const folders = shown.filter((entry) => entry.kind === "directory").map((entry) => `${entry.name}/`);
  const files = shown.filter((entry) => entry.kind !== "directory").map((entry) => entry.name);
  return [...folders.sort(), ...files.sort()];
}
