/**
 * The format of `mcp.json`, as Nekode and other agents write it. The schema that ships for completion in the editor derives
 * from this one. Sources: the documentation of VS Code ("MCP configuration reference"), Claude Code ("MCP"), Cursor and Cline.
 */
import * as z from "zod";

const TYPES = ["stdio", "local", "http", "streamable-http", "streamableHttp", "sse"] as const;
const type = z.enum(TYPES).optional();
const scalar = z.union([z.string(), z.number(), z.boolean()]);
const strings = z.array(z.string()).optional();
const url = z.string().optional();

function placeholder(name: string): string {
  return `$\{${name}}`;
}

/** Seconds for one call if an entry sets none, and the maximum that it may set. */
export const DEFAULT_TIMEOUT = 60;
export const LONGEST_TIMEOUT = 3600;

export const serverEntrySchema = z.object({
  type: type.describe(
    "How to reach the server: stdio starts a command; http and sse connect to a URL. Default: stdio with a command; with a URL, http, then sse if the server does not support it.",
  ),
  command: z.string().min(1).optional().describe("The program that starts a local server."),
  args: z.array(scalar).optional().describe("The program's arguments."),
  env: z
    .record(z.string(), scalar)
    .optional()
    .describe(
      `Environment variables of the program. ${placeholder("env:NAME")} inserts a variable of your environment.`,
    ),
  cwd: z
    .string()
    .optional()
    .describe("The folder in which the program starts. Default: the workspace folder."),
  url: url.describe("The http or https URL of a remote server."),
  headers: z
    .record(z.string(), scalar)
    .optional()
    .describe("HTTP headers for each request to a remote server."),
  disabled: z.boolean().optional().describe("If true, the server is not used."),
  autoApprove: strings.describe(
    "Names of tools that run without asking. Only in your own file, not in a project's.",
  ),
  timeout: z
    .number()
    .min(1)
    .max(LONGEST_TIMEOUT)
    .optional()
    .describe(`Seconds to wait for the result of one call. Default: ${DEFAULT_TIMEOUT}.`),
  importedFrom: z
    .string()
    .optional()
    .describe(
      "The agent whose settings this entry was taken over from. The server starts only after you approve it.",
    ),
  // Names that other agents use.
  transport: type.describe("The same as type."),
  transportType: type.describe("The same as type."),
  serverUrl: url.describe("The same as url."),
  httpUrl: url.describe("The same as url."),
  alwaysAllow: strings.describe("The same as autoApprove."),
});
export type ConfiguredEntry = z.infer<typeof serverEntrySchema>;

const option = z.union([z.string(), z.object({ label: z.string().optional(), value: z.string() })]);

export const serverInputSchema = z.object({
  type: z
    .enum(["promptString", "pickString"])
    .describe("promptString asks for a text, pickString for one of the options."),
  id: z
    .string()
    .min(1)
    .describe(`The name that ${placeholder("input:NAME")} refers to.`),
  description: z.string().optional().describe("What is asked for."),
  password: z.boolean().optional().describe("If true, the text is hidden while it is typed."),
  default: z.string().optional().describe("The suggested answer."),
  options: z.array(option).optional().describe("The answers to choose from."),
});
export type ServerInputEntry = z.infer<typeof serverInputSchema>;

const servers = z.record(z.string(), serverEntrySchema).optional();

/** Only for the editor: Nekode parses each entry on its own, so that a bad one does not affect the others. */
export const serverFileSchema = z.object({
  $schema: z.string().optional(),
  mcpServers: servers.describe("The MCP servers, by name."),
  servers: servers.describe("The same as mcpServers."),
  inputs: z
    .array(serverInputSchema)
    .optional()
    .describe("Values that you are asked for when a server starts."),
});
