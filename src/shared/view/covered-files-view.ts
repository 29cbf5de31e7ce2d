/** The files whose content the approval of a command covers, and the files that no checkpoint covers. */
import * as z from "zod";
import { notKeptSchema } from "./kept-files.ts";

const coveredFilesSchema = z.object({
  /** The files whose content the approval covers. `more`: the number of those not listed. */
  files: z.array(z.string()),
  more: z.number(),
  /** A hash of everything that is covered. */
  hash: z.string(),
  /** The command runs code, which may load further files of the project. */
  runsCode: z.boolean(),
});

export const coverageShape = {
  /** For a command that deletes or overwrites data, or runs code that may do so: what cannot be backed up before it runs. */
  notKept: z.array(notKeptSchema).optional(),
  covers: coveredFilesSchema.optional(),
  /** Covered files that changed after the user was asked, so that the call asks again. */
  changedSince: z.array(z.string()).optional(),
};
