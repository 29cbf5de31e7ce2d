/** Requests about answers of several models. */
import * as z from "zod";

export const comparisonProtocol = {
  /** Continues with one of the answers. `accepted: false`: the conversation has continued in another way. */
  "chat/choose-answer": {
    params: z.object({ comparison: z.string(), index: z.number().int().nonnegative() }),
    result: z.object({ accepted: z.boolean() }),
  },
} as const;
