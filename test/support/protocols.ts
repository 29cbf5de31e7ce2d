/** Which of the two protocols of tool calls a test is played under. */
import type { Protocol } from "../../src/core/provider/provider.ts";
import { isWhole } from "./random.ts";

/**
 * For tests whose subject is neither the text of a protocol nor what differs between the two. Both give the same stream of
 * events, as other tests prove, so `npm test` plays these under one of them, and `npm run endure` under both.
 */
export function underOne(protocol: Protocol): readonly Protocol[] {
  return isWhole ? ["xml", "native"] : [protocol];
}
