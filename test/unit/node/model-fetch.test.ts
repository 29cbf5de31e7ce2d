/** The way to an endpoint: proxies of the environment, certificates, packed bodies, connections that break. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import net, { type AddressInfo } from "node:net";
import path from "node:path";
import zlib from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { createEditorFetch, createModelFetch } from "../../../src/node/net/model-fetch.ts";
import { proxyFor } from "../../../src/node/net/proxy.ts";
import { answered } from "../../support/answered.ts";
import { freePort } from "../../support/free-port.ts";
import { failureOf } from "../../support/provider-failure.ts";

const tls = path.join(import.meta.dirname, "../../fixtures/tls");
const identity = {
  key: readFileSync(path.join(tls, "key.pem")),
  cert: readFileSync(path.join(tls, "certificate.pem")),
};
const open: (http.Server | https.Server)[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listen<Server extends http.Server | https.Server>(server: Server): Promise<number> {
  open.push(server.listen(0, "127.0.0.1"));
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

it.each([
  ["gzip", zlib.gzipSync],
  ["br", zlib.brotliCompressSync],
  ["deflate", zlib.deflateSync],
] as const)("reads what is packed with %s, and sends what it is given", async (encoding, pack) => {
  const port = await listen(
    http.createServer(
      answered((request, response, body) => {
        response.writeHead(201, { "content-encoding": encoding, "x-two": ["a", "b"] });
        response.end(pack(`${request.method} ${request.url} ${request.headers["x-key"]} ${body}`));
      }),
    ),
  );
  for (const redirect of ["manual", "follow"] as const) {
    const init = { method: "POST", headers: { "X-Key": "k" }, body: "猫", redirect };
    const response = await createModelFetch({})(`http://127.0.0.1:${port}/a?b=c`, init);
    expect([response.status, response.headers.get("x-two")]).toEqual([201, "a, b"]);
    expect(await response.text()).toBe("POST /a?b=c k 猫");
  }
});

/** Requests of both kinds: those that send a text go another way. */
const KINDS: [string, RequestInit][] = [
  ["one that sends a text", { method: "POST", body: "ask", redirect: "manual" }],
  ["any other", {}],
];

it.each(KINDS)("passes a packed stream on as it comes, to %s", async (_kind, init) => {
  let finish = () => undefined as unknown;
  const port = await listen(
    http.createServer((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" });
      const packed = zlib.createGzip({ flush: zlib.constants.Z_SYNC_FLUSH });
      packed.pipe(response);
      packed.write("first");
      finish = () => packed.end("last");
    }),
  );
  const response = await createModelFetch({})(`http://127.0.0.1:${port}/`, init);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toBe("first");
  finish();
  expect((await reader?.read())?.value).toBe("last");
});

it.each(KINDS)("an abort ends the request, before the answer and within it: %s", async (_kind, init) => {
  const closed: Promise<unknown>[] = [];
  const port = await listen(
    http.createServer((request, response) => {
      closed.push(once(response, "close"));
      if (request.url === "/slow") return;
      response.writeHead(200);
      response.write("x");
    }),
  );
  for (const name of ["slow", "stream"]) {
    const controller = new AbortController();
    const asked = createModelFetch({})(`http://127.0.0.1:${port}/${name}`, {
      ...init,
      signal: controller.signal,
    });
    if (name === "slow") {
      await once(open[0] ?? new http.Server(), "request");
      controller.abort();
      await expect(asked).rejects.toThrow(/abort/i);
    } else {
      const response = await asked;
      controller.abort();
      await expect(response.text()).rejects.toThrow(/abort/i);
    }
    await expect(
      createModelFetch({})(`http://127.0.0.1:${port}/`, { ...init, signal: controller.signal }),
    ).rejects.toThrow(/abort/i);
  }
  await Promise.all(closed);
  expect(closed).toHaveLength(2);
});

it("an answer that ends before anybody reads it is no failure of the process", async () => {
  const port = await listen(
    http.createServer((request, response) => {
      response.writeHead(200, request.url === "/packed" ? { "content-encoding": "gzip" } : {});
      response.write(zlib.gzipSync("x"));
    }),
  );
  const ended: Promise<unknown>[] = [];
  const failures: unknown[] = [];
  const note = (error: unknown) => failures.push(error);
  process.on("uncaughtException", note);
  try {
    for (const name of ["plain", "packed"]) {
      for (const end of ["abort", "break", "cancel"]) {
        const controller = new AbortController();
        const init = { method: "POST", body: "ask", redirect: "manual", signal: controller.signal } as const;
        const sockets = new Set<net.Socket>();
        const [server] = open;
        server?.once("request", (_request, response) => {
          sockets.add(response.socket as net.Socket);
          ended.push(once(response, "close"));
        });
        const response = await createModelFetch({})(`http://127.0.0.1:${port}/${name}`, init);
        if (end === "abort") controller.abort();
        else if (end === "break") for (const socket of sockets) socket.destroy();
        else await response.body?.cancel();
      }
    }
    await Promise.all(ended);
    expect(ended).toHaveLength(6);
  } finally {
    process.off("uncaughtException", note);
  }
  expect(failures).toEqual([]);
});

it("an answer that is packed more often than any is, is refused", async () => {
  const port = await listen(
    http.createServer((request, response) => {
      response.writeHead(200, {
        "content-encoding": `${"gzip,".repeat(Number(request.url?.slice(1)) - 1)}gzip`,
      });
      response.end(zlib.gzipSync("x"));
    }),
  );
  const init = { method: "POST", body: "ask", redirect: "manual" } as const;
  await expect(createModelFetch({})(`http://127.0.0.1:${port}/6`, init)).rejects.toThrow(
    expect.objectContaining({ cause: expect.objectContaining({ message: "the answer is packed 6 times" }) }),
  );
  expect(await (await createModelFetch({})(`http://127.0.0.1:${port}/1`, init)).text()).toBe("x");
});

it("a request that sends a text sends and answers what that of the runtime does", async () => {
  const port = await listen(
    http.createServer(
      answered((request, response, body) => {
        const { accept, "content-type": type, ...others } = request.headers;
        response.setHeader("x-name", Buffer.from("né").toString("latin1"));
        if (request.url === "/none") response.writeHead(204).end();
        else if (request.url === "/moved") response.writeHead(307, { location: "/some" }).end("moved");
        else response.end(JSON.stringify([request.url, accept, type, others["content-length"], body]));
      }),
    ),
  );
  const seenBy = (fetch: typeof globalThis.fetch) =>
    Promise.all(
      ["/some?a=%20#part", "/none", "/moved"].map(async (name) => {
        const init = { method: "post", body: "猫", redirect: "manual" } as const;
        const response = await fetch(new URL(name, `http://127.0.0.1:${port}`), init);
        const { status, statusText, headers, body } = response;
        const named = ["x-name", "location"].map((header) => headers.get(header));
        return [status, statusText, named, body === null, await response.text()];
      }),
    );
  const own = await seenBy(createModelFetch({}));
  expect(own).toEqual(await seenBy(globalThis.fetch));
  expect(own.map(([status]) => status)).toEqual([200, 204, 307]);
});

describe("what fails is named", () => {
  it("a certificate that nobody vouches for", async () => {
    const port = await listen(https.createServer(identity, (_request, response) => response.end("{}")));
    for (const fetch of [createModelFetch({}), createEditorFetch(globalThis.fetch), globalThis.fetch]) {
      const error = await failureOf(`https://localhost:${port}/v1`, fetch);
      expect(error.view.code).toBe("untrusted-certificate");
      expect(error.view.detail).toMatch(/self-signed certificate/);
      expect(error.transient).toBe(false);
    }
  });

  it("nobody there", async () => {
    const port = await freePort();
    for (const fetch of [createModelFetch({}), globalThis.fetch]) {
      const error = await failureOf(`http://127.0.0.1:${port}/v1`, fetch);
      expect(error.view).toMatchObject({
        code: "unreachable",
        detail: expect.stringContaining("ECONNREFUSED"),
      });
      expect(error.transient).toBe(true);
    }
  });

  it("a connection that breaks before the answer, and one that breaks before its first word", async () => {
    const port = await listen(
      http.createServer((request, response) => {
        if (request.url?.startsWith("/later")) {
          response.writeHead(200, { "content-type": "text/event-stream" });
          response.write(": wait\n\n", () => response.destroy());
        } else request.socket.destroy();
      }),
    );
    for (const fetch of [createModelFetch({}), globalThis.fetch]) {
      const early = await failureOf(`http://127.0.0.1:${port}/v1`, fetch);
      expect([early.view.code, early.transient]).toEqual(["unreachable", true]);
      const later = await failureOf(`http://127.0.0.1:${port}/later`, fetch);
      expect([later.view.code, later.transient]).toEqual(["connection-lost", true]);
    }
  });
});

describe("a proxy of the environment", () => {
  /** A proxy that lets nobody through without the password, and leads every name to this machine. */
  async function startProxy() {
    const asked: string[] = [];
    const server = http.createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.end(`through the proxy to ${request.headers.host}`);
    });
    server.on("connect", (request, socket) => {
      asked.push(`CONNECT ${request.url}`);
      const welcome = Buffer.from("cat:m:w").toString("base64");
      if (request.headers["proxy-authorization"] !== `Basic ${welcome}`) {
        socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
        return;
      }
      const behind = net.connect(Number(request.url?.split(":")[1]), "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
        behind.pipe(socket).pipe(behind);
      });
      for (const end of [behind, socket]) end.on("error", () => undefined);
    });
    return { asked, port: await listen(server) };
  }

  it("leads http and https, with its password", async () => {
    const { asked, port } = await startProxy();
    const secure = await listen(https.createServer(identity, (_request, response) => response.end("{}")));
    const proxy = `http://cat:m%3Aw@127.0.0.1:${port}`;
    const fetch = createModelFetch({ HTTPS_PROXY: proxy, http_proxy: proxy });
    const plain = await fetch("http://model.example/v1/models");
    expect(await plain.text()).toBe("through the proxy to model.example");
    // It got as far as the certificate of the server behind the proxy.
    const error = await failureOf(`https://model.example:${secure}/v1`, fetch);
    expect(error.view.code).toBe("untrusted-certificate");
    expect(asked).toEqual(["GET http://model.example/v1/models", `CONNECT model.example:${secure}`]);
  });

  it("that refuses is named", async () => {
    const { port } = await startProxy();
    const fetch = createModelFetch({ ALL_PROXY: `127.0.0.1:${port}` });
    const error = await failureOf("https://model.example/v1", fetch);
    expect(error.view.code).toBe("unreachable");
    expect(error.view.detail).toMatch(/Proxy response \(407\)/);
  });

  it.each<[string, string, boolean]>([
    ["https://a.example/v1", "", true],
    ["https://localhost:1/v1", "", false],
    ["https://127.0.0.1/v1", "", false],
    ["https://[::1]/v1", "", false],
    ["https://a.example/v1", "*", false],
    ["https://a.example/v1", "b.example, .example", false],
    ["https://a.example/v1", "a.example:443", false],
    ["https://a.example/v1", "a.example:8443", true],
    ["https://nota.example/v1", "a.example", true],
    ["https://b.a.example/v1", "*.a.example", false],
  ])("for %s, with the exceptions %j: %s", (url, list, used) => {
    const environment = { HTTPS_PROXY: "http://proxy:3128", NO_PROXY: list };
    expect(proxyFor(new URL(url), environment)?.host).toBe(used ? "proxy:3128" : undefined);
  });

  it("of a kind that we do not speak is said", () => {
    expect(() => proxyFor(new URL("https://a/"), { ALL_PROXY: "socks5://x:1" })).toThrow(
      /socks5:\/\/ are not supported/,
    );
  });
});
