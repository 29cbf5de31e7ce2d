/** The panel's requests about what runs without asking, and about answers to what asks. */
import * as z from "zod";
import { preparedAnswerSchema } from "./prepared-answer.ts";
import { permissionChangeSchema } from "./session-permission.ts";

export const permissionProtocol = {
  /** Changes what runs without asking in the active session. */
  "chat/permission": { params: permissionChangeSchema, result: z.object({}) },
  /**
   * Stores what the user has prepared so far as the answer to a call. It applies wherever the user answers, and every card
   * shows it.
   */
  "chat/prepare-answer": {
    params: preparedAnswerSchema.extend({ callId: z.string() }),
    result: z.object({}),
  },
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
