/** Bounds what servers send over HTTP. */
import type { Fetch } from "../../core/ports/web.ts";
import { reasonOf } from "../../shared/reason.ts";
import { Failed } from "./server-errors.ts";

/** Bytes of an answer, or of one event of a stream of events. */
const MOST_BYTES = 10 * 1024 * 1024;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** The same `fetch`, whose bodies fail once an answer, or one event of a stream, is larger than 10 MB. */
export function boundedFetch(fetch: Fetch): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const { status, statusText, headers, body } = response;
    if (body === null) return response;
    const isStream = headers.get("content-type")?.toLowerCase().includes("text/event-stream") ?? false;
    const limited = body.pipeThrough(isStream ? limitEvents() : limitTotal());
    return new Response(limited, { status, statusText, headers });
  };
}

function limitTotal(): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > MOST_BYTES) controller.error(tooLarge());
      else controller.enqueue(chunk);
    },
  });
}

/** An event ends with an empty line. */
function limitEvents(): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  let atLineStart = false;
  return new TransformStream({
    transform(chunk, controller) {
      for (const byte of chunk) {
        size++;
        if (byte === CARRIAGE_RETURN) continue;
        if (byte === LINE_FEED && atLineStart) size = 0;
        atLineStart = byte === LINE_FEED;
      }
      if (size > MOST_BYTES) controller.error(tooLarge());
      else controller.enqueue(chunk);
    },
  });
}

function tooLarge(): Error {
  return new Failed(reasonOf("mcp-too-much"));
}
