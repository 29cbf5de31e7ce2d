/** The requests of the protocol for the first page. */
import * as z from "./zod.ts";

/** Tasks that fit a folder. Their texts are in `webview-ui/welcome/welcome.tsx`. */
export const exampleCodeSchema = z.enum([
  "explain",
  "start",
  /** `value`: a command. */
  "fix-lint",
  /** `value`: a command. */
  "fix-tests",
  /** `value`: a file to mention. */
  "write-tests",
  "write-readme",
  /** `value`: a file to mention. */
  "find-bug",
]);

export const exampleSchema = z.object({ code: exampleCodeSchema, value: z._default(z.string(), "") });
export type Example = z.infer<typeof exampleSchema>;

const nothing = z.object({});

export const welcomeProtocol = {
  /** Examples that fit the open folder, the best ones first; none where no folder is open. */
  "welcome/examples": { params: nothing, result: z.object({ examples: z.array(exampleSchema) }) },
  /** Shows VS Code's dialog for opening a folder. */
  "host/open-folder": { params: nothing, result: nothing },
} as const;
