/** The panel's requests about MCP servers: part of the protocol between host and webview. */
import * as z from "zod";
import { addedServersSchema, serverActionSchema, serverListSchema, toolChoiceSchema } from "./server-list.ts";

const nothing = z.object({});

export const serverProtocol = {
  /** The configured MCP servers with what is known about them. Starts none. */
  "servers/list": { params: nothing, result: serverListSchema },
  /** Approves a project's server with exactly this content, and starts it. */
  "servers/trust": { params: z.object({ name: z.string(), content: z.string() }), result: nothing },
  "servers/act": { params: z.object({ name: z.string(), action: serverActionSchema }), result: nothing },
  /** Switches one choice for a server's tool; takes effect with the next call. */
  "servers/tool": {
    params: z.object({ name: z.string(), tool: z.string(), choice: toolChoiceSchema, on: z.boolean() }),
    result: nothing,
  },
  /** Opens a configuration file of the list, at a line. */
  "servers/open": { params: z.object({ file: z.string(), line: z.number() }), result: nothing },
  /**
   * Adds servers to the user's file. `text`: a command, an address, or JSON as a README shows it. `name`: "" to derive it from the
   * text. `replace`: also if the file has entries with these names.
   */
  "servers/add": {
    params: z.object({ text: z.string().max(100_000), name: z.string().max(200), replace: z.boolean() }),
    result: addedServersSchema,
  },
} as const;
