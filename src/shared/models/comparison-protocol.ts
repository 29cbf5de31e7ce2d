/** Requests about what a message costs, and about answers of several models. */
import * as z from "zod";
import { forecastSchema } from "./forecast.ts";
import { windowContentsSchema } from "./window-contents.ts";

export const comparisonProtocol = {
  /** What the context window holds, by kind. */
  "chat/window": { params: z.object({}), result: windowContentsSchema },
  /** What a message with this text would send. */
  "chat/forecast": { params: z.object({ text: z.string() }), result: forecastSchema },
  /** Continues with one of the answers. `accepted: false`: the conversation has continued in another way. */
  "chat/choose-answer": {
    params: z.object({ comparison: z.string(), index: z.number().int().nonnegative() }),
    result: z.object({ accepted: z.boolean() }),
  },
} as const;
