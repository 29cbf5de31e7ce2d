/**
 * A list of MCP servers in the format of the official registry (`/v0/servers`, entries as in `server.json`), and what the user's
 * configuration has for each. All of it is untrusted text: the user sees an entry in the form before it is added.
 */
import type { GalleryServer } from "../../../shared/server-gallery.ts";
import * as z from "../../../shared/zod.ts";

/** Entries that are shown at most. */
const MOST = 1_000;

const variableSchema = z.object({
  name: z.string(),
  value: z.optional(z.string()),
  default: z.optional(z.string()),
  isRequired: z.optional(z.boolean()),
});
const argumentSchema = z.object({
  type: z.optional(z.string()),
  name: z.optional(z.string()),
  value: z.optional(z.string()),
  default: z.optional(z.string()),
});
const packageSchema = z.object({
  registryType: z.string(),
  identifier: z.string(),
  version: z.optional(z.string()),
  packageArguments: z._default(z.array(argumentSchema), []),
  environmentVariables: z._default(z.array(variableSchema), []),
});
const serverSchema = z.object({
  name: z.string(),
  title: z.optional(z.string()),
  description: z._default(z.string(), ""),
  packages: z._default(z.array(packageSchema), []),
  remotes: z._default(
    z.array(
      z.object({ type: z.string(), url: z.string(), headers: z._default(z.array(variableSchema), []) }),
    ),
    [],
  ),
});
type ListedServer = z.infer<typeof serverSchema>;

/** What the registry itself says of an entry: it lists each version of a server. */
const newestSchema = z.object({
  _meta: z.object({
    "io.modelcontextprotocol.registry/official": z.object({ isLatest: z.boolean() }),
  }),
});
const isOlder = (entry: unknown): boolean =>
  newestSchema.safeParse(entry).data?._meta["io.modelcontextprotocol.registry/official"].isLatest === false;

const pageSchema = z.object({
  servers: z.array(z.unknown()),
  metadata: z.optional(z.object({ nextCursor: z.optional(z.nullable(z.string())) })),
});

/**
 * Reads one page of a list, or one `server.json`. Entries that cannot be read, that this product cannot run, or that have a newer version are left out. Throws if
 * the text is no such list. `next`: the cursor of the next page.
 */
export function readGallery(text: string): { servers: GalleryServer[]; next?: string } {
  const json: unknown = JSON.parse(text);
  const single = serverSchema.safeParse(json);
  if (single.success && !pageSchema.safeParse(json).success) return { servers: listed([single.data]) };
  const { servers, metadata } = pageSchema.parse(json);
  const read = servers.slice(0, MOST).flatMap((entry) => {
    if (isOlder(entry)) return [];
    // Newer lists have the registry's own facts beside the server.
    const inner = z.safeParse(z.object({ server: z.unknown() }), entry);
    const parsed = serverSchema.safeParse(inner.success ? inner.data.server : entry);
    return parsed.success ? [parsed.data] : [];
  });
  const next = metadata?.nextCursor ?? undefined;
  return { servers: listed(read), ...(next === undefined ? {} : { next }) };
}

function listed(servers: readonly ListedServer[]): GalleryServer[] {
  return servers.flatMap((server) => {
    const entry = entryOf(server);
    if (!entry) return [];
    const short = server.name.slice(server.name.lastIndexOf("/") + 1);
    const name = short.replace(/[^\w-]/g, "-").slice(0, 60);
    const text = JSON.stringify({ mcpServers: { [name]: entry } }, null, 2);
    return [{ name: server.name, title: server.title ?? short, description: server.description, text }];
  });
}

/** The entry of a configuration; undefined: it cannot run here. */
function entryOf({ packages, remotes }: ListedServer): Record<string, unknown> | undefined {
  for (const each of packages) {
    const command = commandOf(each);
    if (!command) continue;
    const env = valuesOf(each.environmentVariables);
    return { ...command, ...(Object.keys(env).length === 0 ? {} : { env }) };
  }
  const remote = remotes.find(({ type }) => type === "streamable-http" || type === "http" || type === "sse");
  if (!remote) return undefined;
  const headers = valuesOf(remote.headers);
  const type = remote.type === "sse" ? "sse" : "http";
  return { type, url: remote.url, ...(Object.keys(headers).length === 0 ? {} : { headers }) };
}

function commandOf({
  registryType,
  identifier,
  version,
  packageArguments,
  environmentVariables,
}: z.infer<typeof packageSchema>): { command: string; args: string[] } | undefined {
  const rest = packageArguments.flatMap(({ type, name, value, default: usual }) => {
    const text = value ?? usual;
    if (type === "named")
      return [...(name === undefined ? [] : [name]), ...(text === undefined ? [] : [text])];
    return text === undefined ? [] : [text];
  });
  const exact = version === undefined || version === "latest" ? undefined : version;
  // What begins with a dash would be an option of the program that runs it.
  if (identifier.startsWith("-")) return undefined;
  switch (registryType) {
    case "npm":
      return { command: "npx", args: ["-y", exact ? `${identifier}@${exact}` : identifier, ...rest] };
    case "pypi":
      return { command: "uvx", args: [exact ? `${identifier}==${exact}` : identifier, ...rest] };
    case "oci": {
      const passed = environmentVariables.flatMap(({ name }) => ["-e", name]);
      const image = exact && !/:[^/]+$/.test(identifier) ? `${identifier}:${exact}` : identifier;
      return { command: "docker", args: ["run", "-i", "--rm", ...passed, image, ...rest] };
    }
    default:
      return undefined;
  }
}

/** Required variables, and those with a value. Without one, the user enters it in the form. */
function valuesOf(variables: readonly z.infer<typeof variableSchema>[]): Record<string, string> {
  const wanted = variables.filter(
    (each) => each.isRequired || each.value !== undefined || each.default !== undefined,
  );
  return Object.fromEntries(wanted.map(({ name, value, default: usual }) => [name, value ?? usual ?? ""]));
}
