import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

/**
 * A listener of a test's server that may await: a client that goes away before its request is read or answered is no
 * error, anything else is answered with status 500 and told on standard error.
 */
export function answered(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<unknown>,
): RequestListener {
  return (request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (response.destroyed) return;
      console.error(error);
      if (!response.headersSent) response.writeHead(500, { "content-type": "text/plain" });
      response.end(String(error));
    });
  };
}
