/** Symbols that the user can mention, as the languages' own indexes have them. */
import { symbolMention } from "../../shared/mentions.ts";
import type { MentionSymbol } from "../../shared/protocol.ts";
import type { Host } from "../ports/host.ts";
import { mentionPath } from "./mention-files.ts";

/** Those of the workspace that match `query`; without one, those of the file that the user sees. None where there is no index. */
export async function symbolsToMention(
  host: Pick<Host, "surroundings" | "workspace">,
  query: string,
  limit: number,
): Promise<MentionSymbol[]> {
  const { surroundings } = host;
  const { signal } = new AbortController();
  const found =
    query === ""
      ? await symbolsInView(host, signal)
      : ((await surroundings.findSymbols?.(query, signal)) ?? []);
  const symbols = new Map<string, MentionSymbol>();
  for (const { path, name, start } of found) {
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
  try {
    const found = await host.surroundings.symbols?.(mentionPath(path, host), signal);
    return (found ?? []).map((symbol) => ({ path, ...symbol }));
  } catch {
    // The file is in no folder of the workspace, so no mention can name it.
    return [];
  }
}
