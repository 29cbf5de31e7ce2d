/** The list of servers as the panel shows it. Starts none. */
import type { ListedServer, ListedTool, ServerList } from "../../shared/server-list.ts";
import type { ServerTool } from "../ports/servers.ts";
import type { Workspace } from "../ports/workspace.ts";
import { launchLine } from "./content-hashes.ts";
import type { ProjectServers } from "./project-servers.ts";
import type { ServerOffer, ToolChoices } from "./server-types.ts";

/** Entries of each list of a server; a server may offer any number. */
const MOST_LISTED = 500;
/** Characters of a description. */
const LONGEST_DESCRIPTION = 4_000;

/** Rejects if the configuration cannot be read. */
export async function listServers(
  servers: ProjectServers,
  workspace: Pick<Workspace, "root" | "trusted">,
): Promise<ServerList> {
  await servers.load();
  return {
    servers: await Promise.all(servers.all.map((entry) => listed(servers, entry))),
    problems: servers.problems.map((problem) => ({ ...problem })),
    userFile: servers.userFile,
    untrustedWorkspace: workspace.root !== undefined && !workspace.trusted,
  };
}

type Entry = ProjectServers["all"][number];

async function listed(servers: ProjectServers, entry: Entry): Promise<ListedServer> {
  const { server, trust } = entry;
  const { definition, state, failure, info, offer } = server;
  const { name, source, file, line } = definition;
  const waits = state === "untrusted";
  return {
    name,
    source,
    file,
    line,
    state,
    command: launchLine(definition),
    ...(waits && trust.content !== undefined ? { content: trust.content } : {}),
    ...(waits && trust.before !== undefined ? { before: trust.before } : {}),
    ...(failure === undefined ? {} : { failure }),
    ...(info ? { info: `${info.name} ${info.version} (MCP ${info.protocol})` } : {}),
    // Not shown before approval, because a project's server could name any address.
    signedIn: !waits && (await servers.isSignedIn(definition)),
    ...(offer
      ? await offered(servers, entry, offer)
      : { tools: [], resources: [], templates: [], prompts: [] }),
  };
}

async function offered(
  servers: ProjectServers,
  { server: { definition }, choices, accepted }: Entry,
  offer: ServerOffer,
): Promise<Pick<ListedServer, "tools" | "resources" | "templates" | "prompts">> {
  const tools = offer.tools.slice(0, MOST_LISTED).map(async (tool) => ({
    ...toolOf(tool, choices, definition.autoApprove),
    changed: await servers.isChanged({ offer, accepted }, tool.name),
  }));
  return {
    tools: await Promise.all(tools),
    resources: offer.resources.slice(0, MOST_LISTED).map(({ uri, name, title, description }) => ({
      uri,
      name: title ?? name,
      ...about(description),
    })),
    templates: offer.templates.slice(0, MOST_LISTED).map(({ uriTemplate, name, title, description }) => ({
      uri: uriTemplate,
      name: title ?? name,
      ...about(description),
    })),
    prompts: offer.prompts.slice(0, MOST_LISTED).map(({ name, description, arguments: given }) => ({
      name,
      ...about(description),
      arguments: given.map(({ name: argument, required }) => ({ name: argument, required })),
    })),
  };
}

function toolOf(
  { name, title, description, hints }: ServerTool,
  { off, always, reading }: ToolChoices,
  autoApprove: readonly string[],
): Omit<ListedTool, "changed"> {
  return {
    name,
    ...(title === undefined ? {} : { title }),
    description: bounded(description),
    on: !off.includes(name),
    always: autoApprove.includes(name) ? "listed" : always.includes(name),
    reading: reading.includes(name),
    hints,
  };
}

function about(description: string | undefined): { description?: string } {
  return description === undefined || description === "" ? {} : { description: bounded(description) };
}

function bounded(text: string): string {
  return text.length > LONGEST_DESCRIPTION ? `${text.slice(0, LONGEST_DESCRIPTION)}…` : text;
}
