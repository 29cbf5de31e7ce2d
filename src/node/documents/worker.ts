/** The document thread: receives `DocumentWork` and posts the text or an error. */
import { parentPort, workerData } from "node:worker_threads";
import { messageOf } from "../../core/errors.ts";
import * as z from "../../shared/zod.ts";
import { extractText } from "./extract.ts";

const workSchema = z.object({
  bytes: z.instanceof(Uint8Array),
  kind: z.enum(["pdf", "docx", "xlsx", "html"]),
  cmaps: z.string(),
});

extractText(workSchema.parse(workerData)).then(
  (text) => parentPort?.postMessage({ text }),
  (error: unknown) => parentPort?.postMessage({ error: messageOf(error) }),
);
