/** What the panel knows about the user's settings and the workspace. */
import * as z from "zod";
import { taskHereSchema } from "../history/history-protocol.ts";
import { chosenModelsSchema } from "../models/connection.ts";
import { effortSchema } from "../models/model-protocol.ts";
import { accessSchema } from "../permission/levels.ts";

export const setupSchema = z.object({
  /** The models of the settings by name; see `defaultModels`. */
  models: chosenModelsSchema,
  effort: effortSchema,
  /** What the settings let run without asking; a session may differ. */
  access: accessSchema,
  /** The models among `models` that are known not to reason, so that the effort does not apply to them. */
  unreasoning: z.array(z.string()).optional(),
  /** Names of the connections. */
  connections: z.array(z.string()),
  /** The connection whose model is the scripted one of `npm start`; absent: there is none. */
  demonstration: z.string().optional(),
  hasWorkspace: z.boolean(),
  trusted: z.boolean(),
  /** Tasks can begin in worktrees: the folder is in a Git repository. */
  worktrees: z.boolean().optional(),
  /** The folder is the worktree of a task of another project. */
  taskHere: taskHereSchema.optional(),
  /** Names of the workspace folders after the first; their files are mentioned as `@name:/path`. */
  otherRoots: z.array(z.string()).optional(),
});
export type Setup = z.infer<typeof setupSchema>;
