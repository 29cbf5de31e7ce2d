/** Agents as menus show them. Only what lists them loads this. */
import { definitionOriginSchema } from "./definition-origin.ts";
import { handoffSchema } from "./session-agent.ts";
import * as z from "./zod.ts";

/** `file`: "" for an agent that comes with the product. */
const agentItemSchema = z.extend(definitionOriginSchema, { name: z.string(), description: z.string() });
export type AgentItem = z.infer<typeof agentItemSchema>;

export const agentListSchema = z.object({
  agents: z.array(agentItemSchema),
  /** Of the agent that the session has: its buttons after a turn. */
  handoffs: z.array(handoffSchema),
});
export type AgentList = z.infer<typeof agentListSchema>;
