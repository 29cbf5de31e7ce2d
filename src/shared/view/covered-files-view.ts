import * as z from "zod";

/** For a command: the files whose content the approval covers, and a hash of all of it. `more`: the number of those not listed. */
export const coveredFilesSchema = z.object({
  files: z.array(z.string()),
  more: z.number(),
  hash: z.string(),
});
