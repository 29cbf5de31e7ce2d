/** The hits that the row of a search or a listing shows; the model reads the result itself. */
import { join } from "node:path";
import type { HitList } from "../../../shared/message.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { displayPath } from "../tool-paths.ts";

/** Hits of one row, characters of a hit's text, and characters of all paths and texts of a row. */
const MOST_HITS = 50;
const TEXT_LIMIT = 200;
const TOTAL_LIMIT = 12_000;

/** A hit whose path is relative to the folder that was searched; a folder ends with `/`. */
export interface FoundHit {
  path: string;
  line?: number;
  text?: string;
}

/**
 * The first hits, as a part of what the row shows, and how many more there are; an empty object if there are none. `root`:
 * the absolute path that `path` is relative to.
 */
export function shownHits(workspace: Workspace, root: string, hits: readonly FoundHit[]): { hits?: HitList } {
  const found: HitList["found"] = [];
  let size = 0;
  for (const { path: inside, line, text } of hits.slice(0, MOST_HITS)) {
    const named = displayPath(workspace, join(root, inside));
    const path = inside.endsWith("/") && !named.endsWith("/") ? `${named}/` : named;
    const shown = text === undefined ? undefined : cut(text.trim());
    size += path.length + (shown?.length ?? 0);
    if (size > TOTAL_LIMIT) break;
    found.push({
      path,
      ...(line === undefined ? {} : { line }),
      ...(shown === undefined ? {} : { text: shown }),
    });
  }
  return found.length === 0 ? {} : { hits: { found, more: hits.length - found.length } };
}

/** The text within the limit, without half of a character at its end. */
function cut(text: string): string {
  if (text.length <= TEXT_LIMIT) return text;
  return `${text.slice(0, TEXT_LIMIT - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
