/** The file of the administrator's policy. An unknown key is an error: a misspelled limit must not be taken for none. */
import { accessClassSchema, levelSchema } from "../../shared/permission/levels.ts";
import * as z from "../../shared/zod.ts";
import { isEndpointPattern } from "./endpoint-patterns.ts";

/** A SHA-256 hash, as `nekode policy` prints it. */
const hashSchema = z.string().check(z.regex(/^[0-9a-f]{64}$/, "must be a SHA-256 hash in lower case"));

/** "off": none is used. `allowed`: only what has one of these hashes. */
const byHashSchema = z.union([z.literal("off"), z.strictObject({ allowed: z.array(hashSchema) })]);

const text = z.string().check(z.minLength(1), z.maxLength(200));
const cost = z.number().check(z.positive());

export const telemetryTargetSchema = z.union([
  z.strictObject({
    /** The address of a collector, such as `http://localhost:4318`. */
    endpoint: z.url({ protocol: /^https?$/ }),
    headers: z.exactOptional(z.record(z.string(), z.string())),
    content: z.exactOptional(z.boolean()),
  }),
  z.strictObject({
    /** Absolute path of the file that lines are appended to. */
    file: text,
    content: z.exactOptional(z.boolean()),
  }),
]);

export const policyFileSchema = z.strictObject({
  version: z.literal(1),
  /** Who manages this computer; shown to users. */
  managedBy: text,
  /** Addresses that models may be asked at; see `endpoint-patterns.ts`. */
  endpoints: z.exactOptional(
    z.array(
      text.check(
        z.refine(
          isEndpointPattern,
          "must be a URL, in which * may stand for a subdomain or a port, or vscode",
        ),
      ),
    ),
  ),
  /** Ids of models, in which `*` stands for any characters. */
  models: z.exactOptional(z.array(text)),
  permissions: z.exactOptional(
    z.strictObject({
      /** The highest permission level. */
      highest: z.exactOptional(levelSchema),
      /** Kinds of access that always ask, in addition. */
      ask: z.exactOptional(z.array(accessClassSchema)),
    }),
  ),
  sandbox: z.exactOptional(z.literal("required")),
  servers: z.exactOptional(byHashSchema),
  plugins: z.exactOptional(byHashSchema),
  hooks: z.exactOptional(byHashSchema),
  export: z.exactOptional(z.literal("off")),
  /** USD. */
  limits: z.exactOptional(
    z.strictObject({ costPerTask: z.exactOptional(cost), costPerDay: z.exactOptional(cost) }),
  ),
  /** "off": users cannot export telemetry. Otherwise where it goes, whatever users set. */
  telemetry: z.exactOptional(z.union([z.literal("off"), telemetryTargetSchema])),
});
export type PolicyFile = z.infer<typeof policyFileSchema>;

/** What is wrong, in one line. */
export function policyFileProblem({ issues }: z.core.$ZodError): string {
  return issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`))
    .join("; ");
}
