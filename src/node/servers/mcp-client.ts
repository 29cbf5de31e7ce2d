/** Creates the SDK's client for one connection, with everything that a server can ask of it. */
import { pathToFileURL } from "node:url";
import type { Client } from "@modelcontextprotocol/client";
import type { ServerEvents } from "../../core/ports/servers.ts";
import { boundedText } from "../../core/servers/server-text.ts";
import { messageOf } from "../../shared/message-of.ts";
import type { Fault } from "../../shared/reason.ts";
import type { CallTimers } from "./call-timer.ts";
import type * as McpSdk from "./mcp-sdk.ts";
import type { ServerLog } from "./server-log.ts";
import { askServerQuestion } from "./server-questions.ts";
import { CLOSED } from "./stdio-transport.ts";

/** Characters of a logged value. */
const LOGGED = 2_000;

/** Questions of one server that wait for the user at the same time; further ones are canceled. */
const MOST_QUESTIONS = 5;

export const LISTS = ["tools", "resources", "prompts"] as const;

interface ClientParts {
  version: string;
  /** Milliseconds for the answer to the question for the protocol version. */
  probeMs: number;
  events: ServerEvents;
  log: ServerLog;
  timers: CallTimers;
}

/** `closed` resolves when the connection has ended. */
export function createClient(
  sdk: typeof McpSdk,
  { version, probeMs, events, log, timers }: ClientParts,
): { client: Client; closed: Promise<Fault> } {
  const onChanged = (list: (typeof LISTS)[number]) => (error: Error | null) => {
    if (error) log.note(`The list of ${list} changed, but ${messageOf(error)}`);
    else events.changed(list);
  };
  const client = new sdk.Client(
    { name: "nekode", title: "Nekode", version },
    {
      capabilities: { elicitation: { form: {}, url: {} }, roots: {} },
      versionNegotiation: { mode: "auto", probe: { timeoutMs: probeMs } },
      // The caller reads the new list when it needs it.
      listChanged: Object.fromEntries(
        LISTS.map((list) => [list, { autoRefresh: false, debounceMs: 100, onChanged: onChanged(list) }]),
      ),
    },
  );
  let questions = 0;
  client.setRequestHandler("elicitation/create", async ({ params }, { mcpReq }) => {
    if (questions >= MOST_QUESTIONS) {
      log.add("A question of the server was not shown, because too many others wait for an answer.");
      return { action: "cancel" };
    }
    questions++;
    try {
      return await timers.during(askServerQuestion(params, { ask: events.ask, log, signal: mcpReq.signal }));
    } finally {
      questions--;
    }
  });
  client.setRequestHandler("roots/list", () => ({
    roots: events.roots().map(({ name, path }) => ({ name, uri: pathToFileURL(path).href })),
  }));
  client.setNotificationHandler("notifications/message", ({ params }) => {
    const source = params.logger === undefined ? "" : `${boundedText(params.logger, 100)}: `;
    const data = typeof params.data === "string" ? params.data : JSON.stringify(params.data);
    log.add(`[${params.level}] ${source}${boundedText(data ?? "", LOGGED)}`);
  });
  client.onerror = (error) => log.add(`[client] ${boundedText(messageOf(error), LOGGED)}`);
  const closed = new Promise<Fault>((resolve) => {
    client.onclose = () => resolve(CLOSED);
  });
  return { client, closed };
}
