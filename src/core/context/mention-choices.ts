/** The commits and symbols that the composer offers for a mention. */
import { symbolMention } from "../../shared/mentions.ts";
import type { Commit, MentionSymbol } from "../../shared/protocol.ts";
import type { Host } from "../ports/host.ts";
import { isOutside, mentionPath } from "./mention-files.ts";

/** Commits whose message matches `query`, newest first; none without a repository, a folder or trust. */
export async function commitsToMention(
  host: Pick<Host, "git" | "workspace">,
  query: string,
): Promise<Commit[]> {
  const { git, workspace } = host;
  if (!git || !workspace.trusted || workspace.root === undefined) return [];
  const { signal } = new AbortController();
  return git.commits(workspace.root, query, { limit: 100_000, signal }).catch(() => []);
}

/**
 * Symbols of the workspace that match `query`, as the languages' own indexes have them; without a query, those of the file that the
 * user sees. None where there is no index. `starts`: as in `Surroundings.findSymbols`.
 */
export async function symbolsToMention(
  host: Pick<Host, "surroundings" | "workspace">,
  query: string,
  limit: number,
  starts = false,
): Promise<MentionSymbol[]> {
  const { surroundings } = host;
  const { signal } = new AbortController();
  const indexed =
    query === ""
      ? await symbolsInView(host, signal)
      : ((await surroundings.findSymbols?.(query, signal, { starts })) ?? []);
  const symbols = new Map<string, MentionSymbol>();
  for (const { path, name, start } of indexed) {
    const mention = symbolMention(path, name);
    if (mention !== undefined && !symbols.has(mention))
      symbols.set(mention, { mention, path, name, line: start });
    if (symbols.size === limit) break;
  }
  return [...symbols.values()];
}

async function symbolsInView(host: Pick<Host, "surroundings" | "workspace">, signal: AbortSignal) {
  const [path] = host.surroundings.visibleFiles();
  if (path === undefined || host.workspace.root === undefined) return [];
  // No mention can name a file that is in no folder of the workspace.
  if (isOutside(path, host)) return [];
  const outline = await host.surroundings.symbols?.(mentionPath(path, host), signal);
  return (outline ?? []).map((symbol) => ({ path, ...symbol }));
}
