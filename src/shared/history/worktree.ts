/** The git worktree that a session works in, as it is stored with the session. */
import * as z from "../zod.ts";

export const worktreeSchema = z.object({
  /** The worktree's top folder, absolute. */
  path: z.string(),
  /** The folder in it that corresponds to the project's folder: `path`, unless the project is in a subfolder of its repository. */
  root: z.string(),
  /** The name of its branch, without `refs/heads/`. */
  branch: z.string(),
  /** The full hash of the commit that it began at. */
  base: z.string(),
});
export type Worktree = z.infer<typeof worktreeSchema>;
