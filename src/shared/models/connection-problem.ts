/** Why a connection cannot be used, which of its fields is wrong, and the change that corrects it. */
import * as z from "../zod.ts";
import { presetIdSchema } from "./preset-ids.ts";

export const connectionFieldSchema = z.enum(["key", "baseUrl", "model", "name"]);
export type ConnectionField = z.infer<typeof connectionFieldSchema>;

const problemCodeSchema = z.enum([
  "no-key",
  /** `subject`: the provider whose key it is; `fix`: that provider's preset. */
  "key-of-another",
  "bad-key",
  "unusable-key",
  "no-address",
  "bad-address",
  /** `subject`: the part of the address that must be replaced. */
  "placeholder",
  /** The address has no version segment; `fix`: the address that answered. */
  "no-version",
  /** `subject`: the path of a single request at the end of the address. */
  "extra-path",
  "wants-https",
  "wants-http",
  "untrusted-certificate",
  /** The address answers with a web page. */
  "web-page",
  "no-list",
  "no-models",
  /** `subject`: the model. */
  "unknown-model",
  "unreachable",
  "timeout",
  "redirected",
  "refused",
  "unusable-header",
  /** `subject`: the name of the connection. */
  "no-connection",
]);
export type ConnectionProblemCode = z.infer<typeof problemCodeSchema>;

export const connectionProblemSchema = z.object({
  code: problemCodeSchema,
  field: connectionFieldSchema,
  /** The address, or the value described at the code. */
  subject: z.string(),
  /** The endpoint's own words, without secrets. */
  detail: z.optional(z.string()),
  fix: z.optional(
    z.discriminatedUnion("type", [
      z.object({ type: z.literal("address"), baseUrl: z.string() }),
      z.object({ type: z.literal("preset"), preset: presetIdSchema }),
    ]),
  ),
});
export type ConnectionProblem = z.infer<typeof connectionProblemSchema>;

const FIELDS: Partial<Record<ConnectionProblemCode, ConnectionField>> = {
  "no-key": "key",
  "key-of-another": "key",
  "bad-key": "key",
  "unusable-key": "key",
  "no-models": "model",
  "unknown-model": "model",
  "no-connection": "name",
};

/** A problem of the field that its code is about. */
export function connectionProblem(
  code: ConnectionProblemCode,
  subject: string,
  more: Pick<ConnectionProblem, "detail" | "fix"> = {},
): ConnectionProblem {
  return { code, field: FIELDS[code] ?? "baseUrl", subject, ...more };
}
