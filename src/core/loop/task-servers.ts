/** What the MCP servers mean for a turn: they are ready when it begins, and its session releases them when it ends. */
import { estimateTokens } from "../context/tokens.ts";
import type { Host } from "../ports/host.ts";
import type { ProjectServers } from "../servers/project-servers.ts";
import type { Tool } from "../tools/tool.ts";
import type { Transcript } from "./transcript.ts";

/** Milliseconds after which the user is notified of the servers that the turn waits for. */
export const TELL_AFTER_MS = 1_000;
/** Share of the context window that the schemas of servers' tools may take. */
const MAX_SHARE = 0.1;
/** Tools of servers; some endpoints accept 128 functions in all. */
const MAX_FUNCTIONS = 100;

export interface TaskServersDeps {
  host: Pick<Host, "clock" | "newId">;
  conversation: Pick<Transcript, "id" | "emit">;
  servers?: ProjectServers;
}

/** Resolves when the servers' tools are known. Rejects only with Interrupt. */
export async function prepareServers(deps: TaskServersDeps, signal: AbortSignal): Promise<void> {
  const { host, conversation, servers } = deps;
  if (!servers) return;
  let names = "";
  const notice = host.clock.after(TELL_AFTER_MS, () => {
    if (names === "") return;
    conversation.emit({ type: "notice", id: host.newId(), code: "servers-starting", values: [names] });
  });
  try {
    await servers.prepare(conversation.id, signal, (waits) => {
      names = waits.join(", ");
    });
  } finally {
    notice.dispose();
  }
}

/**
 * Whether these tools of servers are too many to be offered as functions: for the endpoint, or because their schemas would take too
 * much of a context window of this many tokens.
 */
export function tooMany(tools: readonly Tool[], contextWindow: number): boolean {
  if (tools.length > MAX_FUNCTIONS) return true;
  const texts = tools.map(({ name, description, input }) =>
    JSON.stringify([name, description, input.schema]),
  );
  return texts.length > 0 && estimateTokens(texts.join("\n")) > contextWindow * MAX_SHARE;
}
