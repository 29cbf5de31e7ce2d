import * as z from "zod";
import { ToolError } from "../errors.ts";
import { visibleName } from "../text.ts";
import { pathNames } from "./shared-names.ts";
import { defineTool, textOutput } from "./tool.ts";
import { displayPath, resolvePath, statOf } from "./tool-paths.ts";

/** Entries that one answer names. */
const entryLimit = 500;
/** Files that are looked at to find out which folders hold anything that is not ignored. */
const scanLimit = 50_000;

export const listFiles = defineTool({
  name: "list_files",
  aliases: [{ name: "list", params: { path: "path", recursive: "recursive" }, text: "path" }],
  paramNames: { path: pathNames },
  face: {
    icon: "folder",
    title: { doing: "Listing", done: "Listed" },
    row: "tool",
    found: { one: "1 entry", many: "{0} entries" },
  },
  access: "read",
  description:
    "Lists what a folder holds, folders first, without what .gitignore and .nekodeignore leave out. Not needed to check that a write succeeded: its own answer says so.",
  schema: z.object({
    path: z
      .string()
      .describe("Folder to list, relative to the working directory; . is the working directory."),
    recursive: z.boolean().optional().describe("true lists all levels; otherwise only the top one."),
  }),
  subjectParam: "path",
  async prepare({ path: named, recursive }, context) {
    const { host } = context;
    const path = resolvePath(host.workspace, named);
    const shown = displayPath(host.workspace, path);
    return {
      paths: [{ path, access: "read" }],
      view: { path: shown },
      async run({ signal }) {
        const stat = await statOf(context, path);
        if (stat.kind === "other")
          throw new ToolError(`${shown} is a pipe, a socket or a device; nothing can be listed of it.`);
        if (stat.kind === "file") return textOutput(`${shown} is a file, not a folder. read_file reads it.`);
        const { paths, more } = await host.search.files(path, { limit: scanLimit, signal });
        const all = recursive ? foldersFirst(paths) : topLevel(paths, await host.files.list(path), more);
        return listing(all, shown, more);
      },
    };
  },
});

function listing(all: string[], shown: string, more: boolean): ReturnType<typeof textOutput> {
  if (all.length === 0) return textOutput(`${shown} holds no files (ignored ones aside).`, { text: "0" });
  const lines = all.slice(0, entryLimit).map(visibleName);
  const left = all.length - lines.length;
  if (left > 0 || more) {
    const count = more ? "Many more" : `${left} more`;
    lines.push(
      `(${count} left out. List a folder further down, or use search_files to find one by its content.)`,
    );
  }
  return textOutput(lines.join("\n"), { text: `${all.length}${more ? "+" : ""}` });
}

/** Every folder and file below, each folder before what is in it. */
export function foldersFirst(paths: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1)) {
      folders.add(path.slice(0, slash + 1));
    }
  }
  return [...[...folders].sort(), ...[...paths].sort()];
}

/** The entries of one folder; those of which everything is ignored are left out, empty folders stay. */
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
