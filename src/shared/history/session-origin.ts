/** Where an imported session comes from. */
import * as z from "../zod.ts";

export const agentProductSchema = z.enum(["cline", "roo", "zoo", "kilo", "claude", "codex", "opencode"]);
/** Another agent whose sessions can be imported. */
export type AgentProduct = z.infer<typeof agentProductSchema>;

export const PRODUCT_NAMES: Readonly<Record<AgentProduct, string>> = {
  cline: "Cline",
  roo: "Roo Code",
  zoo: "Zoo Code",
  kilo: "Kilo Code",
  claude: "Claude Code",
  codex: "Codex",
  opencode: "opencode",
};

/** `product`: as a stored message names it. One that is not known may be a text of anybody's, so it is not repeated. */
export function productName(product: string): string {
  const known = agentProductSchema.safeParse(product).data;
  return known === undefined ? "another agent" : PRODUCT_NAMES[known];
}

/** An imported session is read-only. A message to it continues it as a copy. */
export const sessionOriginSchema = z.object({
  product: agentProductSchema,
  /** The session's id in that product. */
  id: z.string(),
  /** When it last changed there. ISO 8601, UTC. */
  updatedAt: z.string(),
});
export type SessionOrigin = z.infer<typeof sessionOriginSchema>;
