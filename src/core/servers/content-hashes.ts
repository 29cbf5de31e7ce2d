/** Hashes of what the user approves: what a configured server would run or connect to, and the tools that it offers. */
import { type Reason, reasonOf } from "../../shared/reason.ts";
import { visible } from "../../shared/visible.ts";
import { sha256 } from "../bytes.ts";
import { type AdminPolicy, allowsHash } from "../policy/admin-policy.ts";
import type { ServerTool } from "../ports/servers.ts";
import type { ServerDefinition, ServerInput } from "./server-types.ts";

/** Texts that are shown without quotation marks, because they cannot be misread. */
const PLAIN = /^[\w@%+=:,./~${}()\\-]+$/;

/** Hash of everything that decides what runs, or where requests and secrets go. Independent of the order of keys. */
export function contentHash({ launch, inputs, plugin }: ServerDefinition): Promise<string> {
  const parts =
    launch.type === "stdio"
      ? ["stdio", launch.command, launch.args, sorted(launch.env), launch.cwd ?? null]
      : [launch.type, launch.url, sorted(launch.headers)];
  const asked = inputs.map(({ id, description, password, default: initial, options }) => [
    id,
    description,
    password,
    initial ?? null,
    options ?? null,
  ]);
  return sha256(new TextEncoder().encode(JSON.stringify([parts, asked, ...pluginLines({ plugin })])));
}

/** One item a line, under the keys of the configuration file. Invisible characters are visible. */
export function contentLines({ launch, inputs, plugin }: ServerDefinition): string {
  const lines: Line[] = [
    ["type", launch.type === "auto" ? "http, sse" : launch.type],
    ...launchLines(launch),
    ...inputs.map(inputLine),
    ...pluginLines({ plugin }),
  ];
  return lines.map(([key, text]) => `${key}: ${shown(text)}`).join("\n");
}

type Line = [key: string, text: string];

/** The hash covers all files of the plugin, so that any change of it asks again. */
function pluginLines({ plugin }: { plugin: ServerDefinition["plugin"] | undefined }): Line[] {
  return plugin ? [["plugin", `${plugin.name} ${plugin.hash}`]] : [];
}

function launchLines(launch: ServerDefinition["launch"]): Line[] {
  if (launch.type !== "stdio") {
    const headers = sorted(launch.headers).map(([name, value]): Line => ["headers", `${name}: ${value}`]);
    return [["url", launch.url], ...headers];
  }
  return [
    ["command", launch.command],
    ...launch.args.map((arg): Line => ["args", arg]),
    ...sorted(launch.env).map(([name, value]): Line => ["env", `${name}=${value}`]),
    ...(launch.cwd === undefined ? [] : [["cwd", launch.cwd] satisfies Line]),
  ];
}

function inputLine({ id, description, password, options, default: initial }: ServerInput): Line {
  const kind = options ? `[${options.join(", ")}]` : password ? "password" : "text";
  const suggestion = initial === undefined ? "" : ` = ${initial}`;
  return ["inputs", `${id} (${kind}): ${description}${suggestion}`];
}

/** The command line or the address, in one line. */
export function launchLine({ launch }: Pick<ServerDefinition, "launch">): string {
  return launch.type === "stdio" ? [launch.command, ...launch.args].map(quoted).join(" ") : launch.url;
}

function sorted(values: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(values).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

/** Line breaks are escaped, so that a text cannot look like several lines. */
function shown(text: string): string {
  return visible(quoted(text));
}

function quoted(text: string): string {
  return PLAIN.test(text) ? text : JSON.stringify(text);
}

/** The same for definitions that differ only in the order of keys. */
export function hashOfTool({ name, title, description, inputSchema, hints }: ServerTool): Promise<string> {
  const text = canonicalJson([name, title ?? "", description, inputSchema, hints]);
  return sha256(new TextEncoder().encode(text));
}

/** JSON with the keys of each object sorted. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** Why the administrator does not allow exactly this configuration; undefined: it is allowed. */
export async function managedRefusal(
  definition: ServerDefinition,
  policy: Pick<AdminPolicy, "servers" | "managedBy"> | undefined,
): Promise<Reason<"mcp-managed"> | undefined> {
  if (policy?.servers === undefined) return undefined;
  const hash = await contentHash(definition);
  return allowsHash(policy.servers, hash) ? undefined : reasonOf("mcp-managed", policy.managedBy, hash);
}
