/**
 * The format of `mcp.json`, as Nekode and other agents write it. The schema that ships for completion in the editor derives
 * from this one. Sources: the documentation of VS Code ("MCP configuration reference"), Claude Code ("MCP"), Cursor and Cline.
 */
import * as z from "../../../shared/zod.ts";

const TYPES = ["stdio", "local", "http", "streamable-http", "streamableHttp", "sse"] as const;
const type = z.optional(z.enum(TYPES));
const scalar = z.union([z.string(), z.number(), z.boolean()]);
const strings = z.optional(z.array(z.string()));
const url = z.optional(z.string());

function placeholder(name: string): string {
  return `$\{${name}}`;
}

/** Seconds for one call if an entry sets none, and the maximum that it may set. */
export const DEFAULT_TIMEOUT = 60;
export const LONGEST_TIMEOUT = 3600;

export const serverEntrySchema = z.object({
  type: type.check(
    z.describe(
      "How to reach the server: stdio starts a command; http and sse connect to a URL. Default: stdio with a command; with a URL, http, then sse if the server does not support it.",
    ),
  ),
  command: z
    .optional(z.string().check(z.minLength(1)))
    .check(z.describe("The program that starts a local server.")),
  args: z.optional(z.array(scalar)).check(z.describe("The program's arguments.")),
  env: z
    .optional(z.record(z.string(), scalar))
    .check(
      z.describe(
        `Environment variables of the program. ${placeholder("env:NAME")} inserts a variable of your environment.`,
      ),
    ),
  cwd: z
    .optional(z.string())
    .check(z.describe("The folder in which the program starts. Default: the workspace folder.")),
  url: url.check(z.describe("The http or https URL of a remote server.")),
  headers: z
    .optional(z.record(z.string(), scalar))
    .check(z.describe("HTTP headers for each request to a remote server.")),
  disabled: z.optional(z.boolean()).check(z.describe("If true, the server is not used.")),
  autoApprove: strings.check(
    z.describe("Names of tools that run without asking. Only in your own file, not in a project's."),
  ),
  timeout: z
    .optional(z.number().check(z.gte(1), z.lte(LONGEST_TIMEOUT)))
    .check(z.describe(`Seconds to wait for the result of one call. Default: ${DEFAULT_TIMEOUT}.`)),
  importedFrom: z
    .optional(z.string())
    .check(
      z.describe(
        "The agent whose settings this entry was taken over from. The server starts only after you approve it.",
      ),
    ),
  // Names that other agents use.
  transport: type.check(z.describe("The same as type.")),
  transportType: type.check(z.describe("The same as type.")),
  serverUrl: url.check(z.describe("The same as url.")),
  httpUrl: url.check(z.describe("The same as url.")),
  alwaysAllow: strings.check(z.describe("The same as autoApprove.")),
});
export type ConfiguredEntry = z.infer<typeof serverEntrySchema>;

const option = z.union([z.string(), z.object({ label: z.optional(z.string()), value: z.string() })]);

export const serverInputSchema = z.object({
  type: z
    .enum(["promptString", "pickString"])
    .check(z.describe("promptString asks for a text, pickString for one of the options.")),
  id: z.string().check(z.minLength(1), z.describe(`The name that ${placeholder("input:NAME")} refers to.`)),
  description: z.optional(z.string()).check(z.describe("What is asked for.")),
  password: z.optional(z.boolean()).check(z.describe("If true, the text is hidden while it is typed.")),
  default: z.optional(z.string()).check(z.describe("The suggested answer.")),
  options: z.optional(z.array(option)).check(z.describe("The answers to choose from.")),
});
export type ServerInputEntry = z.infer<typeof serverInputSchema>;

const servers = z.optional(z.record(z.string(), serverEntrySchema));

/** Only for the editor: Nekode parses each entry on its own, so that a bad one does not affect the others. */
export const serverFileSchema = z.object({
  $schema: z.optional(z.string()),
  mcpServers: servers.check(z.describe("The MCP servers, by name.")),
  servers: servers.check(z.describe("The same as mcpServers.")),
  inputs: z
    .optional(z.array(serverInputSchema))
    .check(z.describe("Values that you are asked for when a server starts.")),
});
