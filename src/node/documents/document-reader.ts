/**
 * The `Documents` port: reads each document in its own thread, from a separate bundle that loads on first use. Ending the
 * thread frees the libraries' memory, and a damaged file cannot block the host.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { Interrupt, ToolError } from "../../core/errors.ts";
import type { DocumentKind, Documents } from "../../core/ports/files.ts";
import * as z from "../../shared/zod.ts";

/** Milliseconds for reading one document. */
const TIMEOUT_MS = 60_000;
/** Megabytes of heap that reading one document may take. */
const HEAP_LIMIT = 512;

export interface DocumentWork {
  bytes: Uint8Array;
  kind: DocumentKind;
  /** Folder with the character maps that East Asian PDF files refer to. */
  cmaps: string;
}

const replySchema = z.union([z.object({ text: z.string() }), z.object({ error: z.string() })]);

/** `folder`: the product's dist/, which contains documents.js and cmaps/. */
export function createDocuments(folder: string): Documents {
  const entry = path.join(folder, "documents.js");
  return {
    extract(bytes, kind, signal) {
      if (signal.aborted) return Promise.reject(new Interrupt());
      if (!existsSync(entry)) {
        return Promise.reject(
          new ToolError(`This installation does not include the reader for ${kind} files.`),
        );
      }
      return inThread(entry, { bytes, kind, cmaps: path.join(folder, "cmaps") }, signal);
    },
  };
}

function inThread(entry: string, work: DocumentWork, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(entry, {
      workerData: work,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT },
      // Discards what the libraries print, because a host may use standard output for its protocol.
      stdout: true,
      stderr: true,
    });
    const settle = (then: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      then();
      void worker.terminate();
    };
    const onAbort = () => settle(() => reject(new Interrupt()));
    const timer = setTimeout(() => {
      settle(() => reject(new ToolError(`The text could not be read within ${TIMEOUT_MS / 1000} s.`)));
    }, TIMEOUT_MS);
    signal.addEventListener("abort", onAbort, { once: true });
    worker.once("message", (message: unknown) => {
      const reply = replySchema.safeParse(message);
      settle(() => {
        if (!reply.success) reject(new Error("the document reader returned an unexpected reply"));
        else if ("text" in reply.data) resolve(reply.data.text);
        else reject(new ToolError(reply.data.error));
      });
    });
    worker.once("error", (error) => {
      const tooLarge = "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
      const why = tooLarge ? "reading it takes too much memory" : error.message;
      settle(() => reject(new ToolError(`The text could not be read: ${why}.`)));
    });
    worker.once("exit", () => settle(() => reject(new ToolError("The text could not be read."))));
  });
}
