/** What MCP servers add to a user's message: the prompts and resources that it names. */
import { findMentions } from "../../shared/mentions.ts";
import { type MentionedResources, NotIncluded } from "../context/mention-content.ts";
import { type SuppliedPrompt, serverOfCommand, supplyPrompt } from "../context/server-prompts.ts";
import { readMentioned, serverFailure, splitResource } from "../context/server-resources.ts";
import { commandIn } from "../context/slash-commands.ts";
import { estimateTokens } from "../context/tokens.ts";
import type { Host } from "../ports/host.ts";
import { keptResultsOf, readingOn } from "../tools/servers/server-output.ts";
import type { ToolContext } from "../tools/tool.ts";
import { prepareServers, TELL_AFTER_MS } from "./task-servers.ts";
import type { Transcript } from "./transcript.ts";

/** Share of the tokens of a message that a prompt may fill. */
const PROMPT_SHARE = 0.5;
/** Characters of a prompt that are always sent, so that the note on how to read the rest makes sense. */
const MIN_CHARACTERS = 500;

export interface FromServersDeps {
  host: Host;
  conversation: Pick<Transcript, "id" | "emit">;
  context: ToolContext;
  requests: { messageLimits(signal: AbortSignal): Promise<{ maxMessageTokens: number }> };
}

/** Whether a message may have to wait for a server before it is sent. */
export function asksServers(text: string): boolean {
  return mayBePrompt(text) || findMentions(text).some(({ kind }) => kind === "resource");
}

/** Whether a text contains something that looks like `/server:prompt`. */
export function mayBePrompt(text: string): boolean {
  return /(?<!\S)\/[^\s/:]+:\S/.test(text);
}

/**
 * The message with what its prompt's server supplies, if it contains a prompt. Rejects with PromptFailure, or with Interrupt; the
 * message is then not sent.
 */
export async function withPrompt<T extends { text: string; byModel?: boolean | "as-is" }>(
  input: T,
  deps: FromServersDeps,
  signal: AbortSignal,
): Promise<T & { supplied?: SuppliedPrompt }> {
  const { host, context } = deps;
  const { servers } = context;
  if (!servers || input.byModel || !mayBePrompt(input.text)) return input;
  await servers.tryLoad();
  const command = await commandIn(
    input.text,
    host,
    context.settings().context,
    signal,
    (name) => serverOfCommand(name, servers) !== undefined,
  );
  if (!command?.name.includes(":")) return input;
  await prepareServers({ ...deps, servers }, signal);
  const { maxMessageTokens } = await deps.requests.messageLimits(signal);
  const supplied = await withWaitNotice(serverOfCommand(command.name, servers) ?? "", deps, () =>
    supplyPrompt(servers, {
      name: command.name,
      typed: command.after,
      session: context.sessionId(),
      signal,
      seesImages: context.seesImages(),
      bound: (text, server, count) => bounded(text, server, maxMessageTokens / count, deps),
    }),
  );
  return { ...input, supplied };
}

/** As many characters as a tool's result may have, and no more tokens than its share of what fits the window. */
function bounded(
  text: string,
  server: string,
  maxTokens: number,
  { context }: Pick<FromServersDeps, "context">,
): string {
  const limit = Math.min(text.length, context.settings().context.maxResultCharacters);
  const tokens = estimateTokens(text.slice(0, limit));
  const room = maxTokens * PROMPT_SHARE;
  const fitting = tokens <= room ? limit : Math.floor((limit * room) / tokens);
  return keptResultsOf(context).bound(text, Math.max(MIN_CHARACTERS, fitting), readingOn(server));
}

/** Notifies the user of the server that they wait for, if `work` takes longer than `TELL_AFTER_MS`. */
async function withWaitNotice<T>(
  server: string,
  { host, conversation }: Pick<FromServersDeps, "host" | "conversation">,
  work: () => Promise<T>,
): Promise<T> {
  const notice = host.clock.after(TELL_AFTER_MS, () =>
    conversation.emit({ type: "notice", id: host.newId(), code: "server-waits", values: [server] }),
  );
  try {
    return await work();
  } finally {
    notice.dispose();
  }
}

/** The resources that the message mentions; undefined: it mentions none. Rejects only with Interrupt. */
export async function resourcesOf(
  text: string,
  deps: Omit<FromServersDeps, "requests">,
  signal: AbortSignal,
): Promise<MentionedResources | undefined> {
  const { context } = deps;
  const { servers } = context;
  const mentioned = findMentions(text).flatMap(({ kind, value }) =>
    kind === "resource" ? [splitResource(value).server] : [],
  );
  if (!servers || mentioned.length === 0) return undefined;
  await servers.tryLoad();
  const isServer = (name: string) => servers.all.some(({ server }) => server.name === name);
  if (!mentioned.some(isServer)) return undefined;
  await prepareServers({ ...deps, servers }, signal);
  return {
    isServer,
    seesImages: () => context.seesImages(),
    async read(server, uri) {
      try {
        const reading = { server, uri, session: context.sessionId(), signal };
        return await withWaitNotice(server, deps, () => readMentioned(servers, reading));
      } catch (error) {
        const { code, message, detail } = serverFailure(servers, server, error, signal);
        throw new NotIncluded(message, code, detail);
      }
    },
  };
}
