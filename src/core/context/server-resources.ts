/** Resources of MCP servers that the user mentions: `@server:URI`. What a resource contains is data from the server. */
import { resourceMention, templateMention } from "../../shared/mentions.ts";
import type { Fault } from "../../shared/reason.ts";
import type { MentionResource } from "../../shared/server-protocol.ts";
import type { MentionFailure } from "../../shared/words/notice-words.ts";
import { Interrupt, messageOf, SignInNeeded, ToolError } from "../errors.ts";
import { outsideText } from "../fence.ts";
import { imageOf, textOf } from "../servers/content-text.ts";
import type { ProjectServers } from "../servers/project-servers.ts";
import { failureInEnglish } from "../servers/server-error.ts";
import { boundedLine } from "../servers/server-text.ts";
import type { ServerUser } from "../servers/server-types.ts";

/** Characters of a name and of a description in the picker. */
const NAME_LENGTH = 100;
const DESCRIPTION_LENGTH = 200;
/** Images of one resource or prompt that are sent. */
export const MAX_IMAGES = 20;

/** Uses servers for mentions and prompts of the user. Questions of a server are canceled, because no call could show them. */
export function userOf(session: string): ServerUser {
  return { session, ask: async () => ({ action: "cancel" }) };
}

export type ServerFailureCode = MentionFailure | Fault["code"];

export interface NotSupplied {
  code: ServerFailureCode;
  message: string;
  detail: string;
}

/** Why a configured server supplied nothing. Throws Interrupt if the user stopped it. */
export function serverFailure(
  servers: ProjectServers,
  name: string,
  error?: unknown,
  signal?: AbortSignal,
): NotSupplied {
  if (error instanceof Interrupt || signal?.aborted) throw new Interrupt();
  const server = servers.all.find((each) => each.server.name === name)?.server;
  if (server?.state === "untrusted")
    return {
      code: "server-untrusted",
      message: `the user has not approved the server ${name}`,
      detail: name,
    };
  if (server?.state === "off")
    return { code: "server-off", message: `the server ${name} is switched off`, detail: name };
  if (error instanceof SignInNeeded || server?.state === "sign-in")
    return {
      code: "server-sign-in",
      message: `the server ${name} requires the user to sign in`,
      detail: name,
    };
  if (error instanceof ToolError && error.fault) return suppliedNothing(messageOf(error), error.fault);
  if (error !== undefined)
    return { code: "server-failed", message: messageOf(error), detail: boundedLine(messageOf(error), 500) };
  const { failure } = server ?? {};
  return failure
    ? suppliedNothing(failureInEnglish(failure), failure.reason)
    : { code: "server-not-ready", message: `${name} did not start in time`, detail: name };
}

function suppliedNothing(message: string, { code, values: [value = ""] }: Fault): NotSupplied {
  // The message of the system is none that users could read as a reason.
  const isForeign = code === "system-error";
  return { code: isForeign ? "server-failed" : code, message, detail: boundedLine(value, 500) };
}

/** The text in place of an image. `sees`: the model receives the image. */
export function imageNote(mimeType: string, sees: boolean): string {
  return sees
    ? `(an image, ${mimeType}, which is attached)`
    : `(an image, ${mimeType}, which this model does not see)`;
}

/** An image of a server. `data` is Base64. */
export interface SuppliedImage {
  mimeType: string;
  data: string;
}

export interface ReadResource {
  /** Text of all its parts; for others, what they are. */
  text: string;
  images: SuppliedImage[];
}

/** Servers whose offers are not known, because they have not run with their current configuration. */
export function unlistedServers(servers: ProjectServers | undefined): string[] {
  const all = servers?.all ?? [];
  return all.flatMap(({ server }) => (server.offer || server.state === "off" ? [] : [server.name]));
}

/** Reads a mentioned resource. Rejects with the errors of `ProjectServers.readResource`. */
export async function readMentioned(
  servers: ProjectServers,
  { server, uri, session, signal }: { server: string; uri: string; session: string; signal: AbortSignal },
): Promise<ReadResource> {
  const texts: string[] = [];
  const images: ReadResource["images"] = [];
  for (const part of await servers.readResource(userOf(session), server, uri, signal)) {
    const image = images.length < MAX_IMAGES ? imageOf(part) : undefined;
    if (image) images.push(image);
    else texts.push(part.type === "resource" && "text" in part ? part.text : textOf(part));
  }
  return { text: texts.join("\n\n"), images };
}

/** A text of a server in its tag, which the text cannot close. */
export function resourceFence(server: string, uri: string, text: string): string {
  return `<resource ${resourceAttributes({ server, uri })}>\n${insideResource(text)}\n</resource>`;
}

export function resourceAttributes({ server, uri }: { server: string; uri: string }): string {
  return `server="${attributeOf(server)}" uri="${attributeOf(uri)}"`;
}

export function insideResource(text: string): string {
  return outsideText(text, "resource");
}

/** A value for an attribute of a tag. */
export function attributeOf(value: string): string {
  return value.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

/** Server and URI of a mention's value. */
export function splitResource(value: string): { server: string; uri: string } {
  const at = value.indexOf(":");
  return { server: value.slice(0, at), uri: value.slice(at + 1) };
}

/**
 * Resources and templates of all servers whose offers are known, the best matches of a query first. Starts no server.
 */
export async function resourcesToMention(
  servers: ProjectServers | undefined,
  query: string,
  limit: number,
): Promise<MentionResource[]> {
  if (!servers) return [];
  await servers.tryLoad();
  const all = servers.offered.flatMap(({ definition: { name: server }, offer }) => [
    ...offer.resources.map(({ uri, ...about }) => ({ server, uri, about, template: undefined })),
    ...offer.templates.map(({ uriTemplate, ...about }) => ({
      server,
      about,
      template: uriTemplate,
      uri: uriTemplate.split("{", 1)[0] ?? "",
    })),
  ]);
  return all
    .map((each, order) => {
      const name = boundedLine(each.about.title ?? each.about.name, NAME_LENGTH);
      const start = `${each.server}:${each.uri}`;
      // A template stays in the list while the user types its variables.
      const isContinued = each.template !== undefined && query.toLowerCase().startsWith(start.toLowerCase());
      return { ...each, name, order, rank: isContinued ? 0 : rankOf(query, [start, name]) };
    })
    .filter(({ rank }) => rank !== undefined)
    .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0) || a.order - b.order)
    .flatMap(({ server, uri, name, about, template }) => {
      const mention = template === undefined ? resourceMention(server, uri) : templateMention(server, uri);
      if (mention === undefined) return [];
      const description = boundedLine(about.description ?? "", DESCRIPTION_LENGTH);
      const whole = template === undefined ? {} : { template: boundedLine(template, DESCRIPTION_LENGTH) };
      return [{ mention, server, name, description, ...whole }];
    })
    .slice(0, limit);
}

/** How well a query fits one of the texts, 0 best; undefined: it does not. */
function rankOf(query: string, texts: readonly string[]): number | undefined {
  const lowercase = query.toLowerCase();
  const ranks = texts.flatMap((text) => {
    const at = text.toLowerCase().indexOf(lowercase);
    if (at >= 0) return [at === 0 ? 0 : 1];
    return isSubsequence(lowercase.replace(/\s+/g, ""), text.toLowerCase()) ? [2] : [];
  });
  return ranks.length > 0 ? Math.min(...ranks) : undefined;
}

/** Whether the characters occur in this order, with others between them. */
function isSubsequence(characters: string, text: string): boolean {
  let at = 0;
  for (const character of text) if (character === characters[at]) at++;
  return at === characters.length;
}
