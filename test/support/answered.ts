import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

/**
 * A listener of a test's server that gets the whole body with the request. A client that goes away before its request
 * is read or answered is no error; anything else is answered with status 500 and told on standard error.
 */
export function answered(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => unknown,
): RequestListener {
  return (request, response) => {
    text(request)
      .then((body) => answer(request, response, body))
      .catch((error: unknown) => {
        if (response.destroyed) return;
        console.error(error);
        if (!response.headersSent) response.writeHead(500, { "content-type": "text/plain" });
        response.end(String(error));
      });
  };
}
