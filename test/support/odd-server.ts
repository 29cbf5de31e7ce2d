/** A server that answers each path as a test says, over real HTTP. */
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";

export interface OddAnswer {
  status?: number;
  type?: string;
  body?: string;
  headers?: Record<string, string>;
}

export interface OddServer {
  /** Without a path. */
  origin: string;
  port: number;
  /** Paths with the authorization that came with them, in order. */
  asked: { path: string; key: string | undefined }[];
  close(): Promise<void>;
}

/** `answer` undefined: never answers. */
export async function startOddServer(
  answer: (path: string, request: IncomingMessage) => OddAnswer | undefined,
  { secure = false } = {},
): Promise<OddServer> {
  const asked: OddServer["asked"] = [];
  const handle: Parameters<typeof createServer>[1] = (request, response) => {
    const path = request.url ?? "";
    asked.push({ path, key: request.headers.authorization });
    const found = answer(path, request);
    if (!found) return;
    const { status = 200, type = "application/json", body = "", headers = {} } = found;
    response.writeHead(status, { "content-type": type, ...headers }).end(body);
  };
  const server: Server = secure
    ? createSecureServer(
        {
          key: readFileSync("test/fixtures/tls/key.pem"),
          cert: readFileSync("test/fixtures/tls/certificate.pem"),
        },
        handle,
      )
    : createServer({}, handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const { port } = address;
  return {
    origin: `${secure ? "https" : "http"}://127.0.0.1:${port}`,
    port,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** A list of models in the shape of OpenAI's. */
export function listOf(...ids: string[]): OddAnswer {
  return { body: JSON.stringify({ object: "list", data: ids.map((id) => ({ id, object: "model" })) }) };
}
