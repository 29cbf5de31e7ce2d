/** The panel's requests about what runs without asking. */
import * as z from "zod";
import { permissionChangeSchema } from "./session-permission.ts";

export const permissionProtocol = {
  /** Changes what runs without asking in the active session. */
  "chat/permission": { params: permissionChangeSchema, result: z.object({}) },
  /** The tools and servers that can be exceptions. */
  "permission/items": {
    params: z.object({}),
    result: z.object({
      tools: z.array(
        z.object({ name: z.string(), access: z.enum(["read", "edit", "command", "web", "mcp"]) }),
      ),
      servers: z.array(z.string()),
    }),
  },
} as const;
