/** What a command certainly does that users want to see before they approve it. */
import * as z from "./zod.ts";

export const dangerSchema = z.enum([
  "deletes",
  /** It creates, deletes or overwrites files outside the project. */
  "outside",
  /** It replaces or deletes branches of another repository. */
  "rewrites-remote",
  /** It discards commits, or changes that no commit has. */
  "discards",
  "permissions",
  "installs",
]);
export type Danger = z.infer<typeof dangerSchema>;

/** What cannot be taken back: no approval explains how to allow it for good. */
const DESTROYING: ReadonlySet<Danger> = new Set(["deletes", "rewrites-remote", "discards"]);

export function isDestroying(dangers: readonly Danger[]): boolean {
  return dangers.some((danger) => DESTROYING.has(danger));
}
