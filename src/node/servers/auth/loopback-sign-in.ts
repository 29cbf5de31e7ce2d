/** Receives the answer of an authorization server on an address of this machine, which exists only during the sign-in. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { SignInPage, SignInUi } from "./sign-in-ui.ts";

const HOST = "127.0.0.1";

export interface LoopbackOptions {
  /** Shows the address to the user. Rejects with ToolError if that is not possible. */
  show(address: URL): Promise<void>;
  /** The text of the page that the browser shows at the end. */
  doneText: string;
}

export function loopbackSignIn(options: LoopbackOptions): SignInUi {
  return { begin: () => LoopbackPage.begin(options) };
}

class LoopbackPage implements SignInPage {
  readonly redirectUrl: string;
  readonly #options: LoopbackOptions;
  readonly #server: Server;
  #onAnswer: ((answer: URL) => void) | undefined;
  #state = "";

  static async begin(options: LoopbackOptions): Promise<SignInPage> {
    const server = createServer();
    server.listen(0, HOST);
    await once(server, "listening");
    const address = server.address();
    if (typeof address !== "object" || address === null) throw new Error("the listener has no port");
    // Random, so that other programs on this machine do not know the path.
    const path = `/signed-in/${randomBytes(16).toString("base64url")}`;
    return new LoopbackPage(options, server, new URL(path, `http://${HOST}:${address.port}`));
  }

  constructor(options: LoopbackOptions, server: Server, redirect: URL) {
    this.redirectUrl = redirect.href;
    this.#options = options;
    this.#server = server;
    server.on("request", (request, response) => this.#handle(request, response, redirect));
  }

  async open(address: URL): Promise<URL> {
    this.#state = address.searchParams.get("state") ?? "";
    const answered = new Promise<URL>((resolve) => {
      this.#onAnswer = resolve;
    });
    await this.#options.show(address);
    return answered;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #handle(request: IncomingMessage, response: ServerResponse, redirect: URL): void {
    const asked = new URL(request.url ?? "/", redirect);
    const isExpected =
      request.method === "GET" &&
      // Rejects other host names: a page of another site that resolves its own name to this machine sends that name.
      request.headers.host === redirect.host &&
      asked.pathname === redirect.pathname &&
      asked.searchParams.get("state") === this.#state &&
      this.#state !== "";
    if (!isExpected) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'",
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      connection: "close",
    });
    // The answer is passed on after the browser has its page, because the listener ends then.
    response.end(pageOf(this.#options.doneText), () => this.#onAnswer?.(asked));
  }
}

function pageOf(text: string): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<!doctype html><meta charset="utf-8"><title>Nekode</title><p>${escaped}</p>`;
}
