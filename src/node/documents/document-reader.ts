/**
 * The `Documents` port: each document is read in a thread of its own, from a bundle of its own. The thread's end frees all
 * that the libraries took, a damaged file cannot hold the host up, and nothing of it loads until it is needed.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { Worker } from "node:worker_threads";
import * as z from "zod";
import { Interrupt, ToolError } from "../../core/errors.ts";
import type { DocumentKind, Documents } from "../../core/ports/documents.ts";

/** Milliseconds after which a document is given up. */
const patience = 60_000;
/** Megabytes of heap that reading one document may take. */
const heapLimit = 512;

export interface DocumentWork {
  bytes: Uint8Array;
  kind: DocumentKind;
  /** Folder of the character maps that East Asian PDF files refer to. */
  cmaps: string;
}

const replySchema = z.union([z.object({ text: z.string() }), z.object({ error: z.string() })]);

/** `folder` holds documents.js and cmaps/: the product's dist/. */
export function createDocuments(folder: string): Documents {
  const entry = path.join(folder, "documents.js");
  return {
    extract(bytes, kind, signal) {
      if (signal.aborted) return Promise.reject(new Interrupt());
      if (!existsSync(entry)) {
        return Promise.reject(new ToolError(`This installation lacks the reader of ${kind} files.`));
      }
      return inThread(entry, { bytes, kind, cmaps: path.join(folder, "cmaps") }, signal);
    },
  };
}

function inThread(entry: string, work: DocumentWork, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(entry, {
      workerData: work,
      resourceLimits: { maxOldGenerationSizeMb: heapLimit },
      // What the libraries print is nobody's concern, least of all a host's that speaks on standard output.
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
      settle(() => reject(new ToolError(`Its text could not be read within ${patience / 1000} s.`)));
    }, patience);
    signal.addEventListener("abort", onAbort, { once: true });
    worker.once("message", (message: unknown) => {
      const reply = replySchema.safeParse(message);
      settle(() => {
        if (!reply.success) reject(new Error("the document's reader answered with something else"));
        else if ("text" in reply.data) resolve(reply.data.text);
        else reject(new ToolError(reply.data.error));
      });
    });
    worker.once("error", (error) => {
      const tooLarge = "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
      const why = tooLarge ? "reading it takes too much memory" : error.message;
      settle(() => reject(new ToolError(`Its text could not be read: ${why}.`)));
    });
    worker.once("exit", () => settle(() => reject(new ToolError("Its text could not be read."))));
  });
}
