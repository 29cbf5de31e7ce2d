/** The MCP servers as the panel lists them. Texts that come from servers and workspaces are shown as plain text. */
import { reasonSchema } from "./message.ts";
import * as z from "./zod.ts";

/**
 * managed: the administrator does not allow it. untrusted: a project's server that the user has not approved with its current content. stopped: starts when needed.
 * failed: ended or did not start. sign-in: requires the user to sign in.
 */
export const serverStateSchema = z.enum([
  "off",
  "managed",
  "untrusted",
  "stopped",
  "starting",
  "running",
  "failed",
  "sign-in",
]);
export type ServerState = z.infer<typeof serverStateSchema>;

/**
 * The file that configures a server: the user's `mcp.json`, a project's `.mcp.json` or `.vscode/mcp.json`, or that of a plugin. Earlier
 * ones take precedence if several files use a name.
 */
export const serverSourceSchema = z.enum(["user", "project", "vscode", "plugin"]);
export type ServerSource = z.infer<typeof serverSourceSchema>;

const toolSchema = z.object({
  name: z.string(),
  title: z.optional(z.string()),
  description: z.string(),
  /** Switched on: the model may call it. */
  on: z.boolean(),
  /** Runs without asking. `listed`: because of the configuration file, so that the list cannot change it. */
  always: z.union([z.boolean(), z.literal("listed")]),
  /** Marked by the user as only reading, so that plan mode may call it. */
  reading: z.boolean(),
  /** The definition differs from the one that the user accepted, so that the next call asks. */
  changed: z.boolean(),
  /** What the server claims about the tool. */
  hints: z.object({
    readOnly: z.optional(z.boolean()),
    destructive: z.optional(z.boolean()),
    openWorld: z.optional(z.boolean()),
  }),
});
export type ListedTool = z.infer<typeof toolSchema>;

const resourceSchema = z.object({ uri: z.string(), name: z.string(), description: z.optional(z.string()) });
const promptSchema = z.object({
  name: z.string(),
  description: z.optional(z.string()),
  arguments: z.array(z.object({ name: z.string(), required: z.boolean() })),
});

/** Why a server failed. `output`: the last lines that it printed. */
export const serverFailureSchema = z.object({ reason: reasonSchema, output: z.exactOptional(z.string()) });

export const listedServerSchema = z.object({
  name: z.string(),
  source: serverSourceSchema,
  /** Absolute path of the configuration file, and the entry's line in it. */
  file: z.string(),
  line: z.number(),
  state: serverStateSchema,
  /** The command line, or the address. */
  command: z.string(),
  /** Set for an untrusted server: what would run, one item a line, and what the user approved earlier. */
  content: z.optional(z.string()),
  before: z.optional(z.string()),
  /** Why the server failed. */
  failure: z.optional(serverFailureSchema),
  /** Name, version and protocol version, while it runs. */
  info: z.optional(z.string()),
  /** The user signed in to it, and can sign out. */
  signedIn: z.boolean(),
  tools: z.array(toolSchema),
  resources: z.array(resourceSchema),
  templates: z.array(resourceSchema),
  prompts: z.array(promptSchema),
});
export type ListedServer = z.infer<typeof listedServerSchema>;

/** Something wrong in a configuration file. */
export const serverProblemSchema = z.object({
  file: z.string(),
  line: z.number(),
  server: z.optional(z.string()),
  reason: reasonSchema,
});

export const serverListSchema = z.object({
  servers: z.array(listedServerSchema),
  problems: z.array(serverProblemSchema),
  /** The user's configuration file, which may not exist yet. */
  userFile: z.string(),
  /** Servers of the project are not read, because the workspace is not trusted. */
  untrustedWorkspace: z.boolean(),
});
export type ServerList = z.infer<typeof serverListSchema>;
