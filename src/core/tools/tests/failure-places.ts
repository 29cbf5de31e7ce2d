/** The places in the project's files that the output of a failed command names, such as `test/cart.py:12:5`. */
import { isAbsolute, resolve, sep } from "node:path";
import { isInside } from "../../roots.ts";
import { bareLines } from "../../text.ts";
import type { ToolContext } from "../tool.ts";
import { displayPath } from "../tool-paths.ts";

/** Characters of the output that are read, places that are looked up, and places that are returned. */
const READ = 200_000;
const MOST_CANDIDATES = 200;
const MOST_PLACES = 30;

/** `a/b.py:12`, `a/b.cs(12`, `"a/b.py", line 12`. */
const PLACE =
  /((?:[A-Za-z]:[\\/]|[\\/])?(?:[\w@.+-]+[\\/])*[\w@.+-]+\.[A-Za-z]\w{0,9})(?::|\(|", line )(\d{1,6})\b/g;
/** Folders of code that is not the project's own. */
const FOREIGN = /(?:^|[\\/])(?:node_modules|site-packages|\.venv|venv|vendor|\.cargo|\.git)[\\/]/;

export interface NamedPlace {
  /** For display. */
  path: string;
  /** 1-based. */
  line: number;
  /** The line in the file. */
  text: string;
}

/** In the order of the output, each once. `folders`: what relative paths may be relative to, absolute. */
export async function placesIn(
  context: ToolContext,
  output: string,
  folders: readonly string[],
): Promise<NamedPlace[]> {
  const { files, workspace } = context.host;
  const places: NamedPlace[] = [];
  const texts = new Map<string, readonly string[] | undefined>();
  const linesOf = async (path: string) => {
    if (texts.has(path)) return texts.get(path);
    const isFile = (await files.stat(path).catch(() => undefined))?.kind === "file";
    const isReadable = isFile && (await context.unreadable(path)) === undefined;
    // A file that cannot be read as text is no test.
    const lines = isReadable
      ? await files.readText(path).then(
          ({ text }) => bareLines(text),
          () => undefined,
        )
      : undefined;
    texts.set(path, lines);
    return lines;
  };
  for (const [name, line] of candidates(output)) {
    if (places.length >= MOST_PLACES) break;
    const paths = isAbsolute(name)
      ? [name]
      : folders.map((folder) => resolve(folder, name.split(/[\\/]/).join(sep)));
    for (const path of new Set(paths)) {
      if (!workspace.roots.some((root) => isInside(root.path, path))) continue;
      const text = (await linesOf(path))?.[line - 1];
      if (text === undefined) continue;
      places.push({ path: displayPath(workspace, path), line, text: text.trim() });
      break;
    }
  }
  return places;
}

function candidates(output: string): [name: string, line: number][] {
  const found = new Map<string, [string, number]>();
  for (const [, name = "", line = ""] of output.slice(-READ).matchAll(PLACE)) {
    if (found.size >= MOST_CANDIDATES) break;
    if (!FOREIGN.test(name)) found.set(`${name}:${line}`, [name, Number(line)]);
  }
  return [...found.values()];
}
