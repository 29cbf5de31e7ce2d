/** What the administrator of this computer manages, as it is shown to users. */
import * as z from "./zod.ts";

export const managedItemSchema = z.object({
  code: z.enum([
    /** values: patterns of addresses, or of models. */
    "endpoints",
    "models",
    /** values: the highest level. */
    "level",
    /** values: the classes of access that always ask. */
    "asks",
    "sandbox",
    /** values: how many hashes are allowed. */
    "servers",
    "plugins",
    "hooks",
    "export",
    /** values: USD. */
    "cost-per-task",
    "cost-per-day",
    "telemetry-off",
    /** values: where it goes, and "content" if contents are exported too. */
    "telemetry",
  ]),
  values: z.array(z.string()),
});
export type ManagedItem = z.infer<typeof managedItemSchema>;

export const managedListSchema = z.object({
  managedBy: z.string(),
  /** Absolute path of the policy. */
  file: z.string(),
  items: z.array(managedItemSchema),
});
export type ManagedList = z.infer<typeof managedListSchema>;
