/** What MCP servers add to a user's message: the prompts and resources that it names. */
import { findMentions } from "../../shared/mentions.ts";
import { type MentionedResources, NotIncluded } from "../context/mention-kinds.ts";
import { type SuppliedPrompt, serverOfCommand, supplyPrompt } from "../context/server-prompts.ts";
import { readMentioned, serverFailure, splitResource } from "../context/server-resources.ts";
import { findSlashCommand, isBuiltInCommand, workflowNames } from "../context/slash-commands.ts";
import type { Host } from "../ports/host.ts";
import type { ProjectServers } from "../servers/project-servers.ts";
import { keptResultsOf, readingOn } from "../tools/servers/kept.ts";
import type { ToolContext } from "../tools/tool.ts";
import { prepareServers } from "./task-servers.ts";
import type { Transcript } from "./transcript.ts";

export interface FromServersDeps {
  host: Host;
  conversation: Pick<Transcript, "id" | "emit">;
  context: ToolContext;
}

/** Whether a text contains something that looks like `/server:prompt`. */
export function mayBePrompt(text: string): boolean {
  return /(?<!\S)\/[^\s/:]+:\S/.test(text);
}

/**
 * The message with what its prompt's server supplies, if it contains a prompt. Rejects with PromptFailure, or with Interrupt; the
 * message is then not sent.
 */
export async function withPrompt<T extends { text: string; byModel?: boolean }>(
  input: T,
  deps: FromServersDeps,
  signal: AbortSignal,
): Promise<T & { supplied?: SuppliedPrompt }> {
  const { host, context } = deps;
  const { servers } = context;
  if (!servers || input.byModel || !mayBePrompt(input.text)) return input;
  await loaded(servers, host);
  const workflows = await workflowNames(host);
  const found = findSlashCommand(
    input.text,
    (name) =>
      isBuiltInCommand(name) || workflows.includes(name) || serverOfCommand(name, servers) !== undefined,
  );
  if (!found?.name.includes(":")) return input;
  await prepareServers({ ...deps, servers }, signal);
  const limit = context.settings().context.maxResultCharacters;
  const supplied = await supplyPrompt(servers, {
    name: found.name,
    typed: found.after,
    session: context.sessionId(),
    signal,
    bound: (text, server) => keptResultsOf(context).bound(text, limit, readingOn(server)),
  });
  return { ...input, supplied };
}

/** The resources that the message mentions; undefined: it mentions none. Rejects only with Interrupt. */
export async function resourcesOf(
  text: string,
  deps: FromServersDeps,
  signal: AbortSignal,
): Promise<MentionedResources | undefined> {
  const { context, host } = deps;
  const { servers } = context;
  const mentioned = findMentions(text).flatMap(({ kind, value }) =>
    kind === "resource" ? [splitResource(value).server] : [],
  );
  if (!servers || mentioned.length === 0) return undefined;
  await loaded(servers, host);
  const isServer = (name: string) => servers.all.some(({ server }) => server.name === name);
  if (!mentioned.some(isServer)) return undefined;
  await prepareServers({ ...deps, servers }, signal);
  return {
    isServer,
    seesImages: () => context.seesImages(),
    async read(server, uri) {
      try {
        return await readMentioned(servers, { server, uri, session: context.sessionId(), signal });
      } catch (error) {
        const { code, message, detail } = serverFailure(servers, server, error, signal);
        throw new NotIncluded(message, code, detail);
      }
    },
  };
}

async function loaded(servers: ProjectServers, { log }: Host): Promise<void> {
  await servers.load().catch((error: unknown) => log.error("the list of MCP servers was not read", error));
}
