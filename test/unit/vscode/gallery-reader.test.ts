/** The user's list of MCP servers, over real HTTP and from real files: what is read, and what is said where it cannot be. */
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { translator } from "../../../src/shared/words/task-words.ts";
import { readServerGallery } from "../../../src/vscode/servers/gallery-reader.ts";

const listed = (name: string) => ({
  name: `io.example/${name}`,
  description: `Serves ${name}.`,
  packages: [{ registryType: "npm", identifier: name }],
});
const page = (names: readonly string[], nextCursor?: string) =>
  JSON.stringify({ servers: names.map(listed), metadata: { nextCursor } });

let server: http.Server;
let base = "";
let folder = "";
const asked: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "nekode-gallery-"));
  server = http.createServer(({ url = "" }, response) => {
    asked.push(url);
    const { pathname, search, searchParams } = new URL(url, "http://localhost");
    const cursor = searchParams.get("cursor");
    switch (pathname) {
      case "/pages":
        response.end(cursor === null ? page(["one", "two"], "b&c") : page(["three"]));
        return;
      case "/endless":
        response.end(page([`page-${Number(cursor) + 1}`], `${Number(cursor) + 1}`));
        return;
      case "/cut":
        if (cursor === null) response.end(page(["one"], "next"));
        else response.writeHead(503).end();
        return;
      case "/moved":
        response.writeHead(302, { location: `/pages${search}` }).end();
        return;
      case "/html":
        response.end("<!doctype html><p>Sign in</p>");
        return;
      case "/other":
        response.end('{"packages":[]}');
        return;
      case "/huge": {
        // Without a length, so that only what arrives tells.
        const chunk = Buffer.alloc(1_000_000, 32);
        const send = () => {
          while (response.write(chunk));
          response.once("drain", send);
        };
        send();
        return;
      }
      default:
        response.writeHead(404).end("nothing here");
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

async function read(source: string) {
  const { servers, problem } = await readServerGallery(source, fetch, translator({}));
  return { names: servers.map(({ title }) => title), ...(problem === undefined ? {} : { problem }) };
}
async function file(name: string, content: string): Promise<string> {
  await writeFile(path.join(folder, name), content);
  return path.join(folder, name);
}

describe("an address", () => {
  it("is read page by page, and nothing else is asked for", async () => {
    asked.length = 0;
    expect(await read(` ${base}/pages?limit=100 `)).toEqual({ names: ["one", "two", "three"] });
    expect(asked).toEqual(["/pages?limit=100", "/pages?limit=100&cursor=b%26c"]);
    expect(await read(`${base}/moved`)).toEqual({ names: ["one", "two", "three"] });
  });

  it("is not read for ever", async () => {
    const { names } = await read(`${base}/endless`);
    expect(names).toHaveLength(10);
  });

  it.each([
    ["/missing", "The server answered with HTTP 404."],
    ["/html", "The content is not JSON."],
    ["/other", "The content is not a list in the format of the MCP registry."],
    ["/huge", "The list is larger than 5 MB."],
  ])("%s: what is wrong is said", async (at, problem) => {
    expect(await read(base + at)).toEqual({ names: [], problem });
  });

  it("keeps what was read before a page failed", async () => {
    expect(await read(`${base}/cut`)).toEqual({
      names: ["one"],
      problem: "The server answered with HTTP 503.",
    });
  });

  it("that nothing answers at, or that is none, is said", async () => {
    const closed = http.createServer();
    closed.listen(0, "127.0.0.1");
    await once(closed, "listening");
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, "close");
    expect(await read(`http://127.0.0.1:${port}/`)).toEqual({
      names: [],
      problem: "The server cannot be reached: ECONNREFUSED",
    });
    expect(await read("https://")).toEqual({ names: [], problem: "It is not a valid address." });
  });
});

describe("a file", () => {
  it("is read, with a byte order mark too, and nothing is contacted", async () => {
    asked.length = 0;
    expect(await read(await file("list.json", `\uFEFF${page(["one"], "next")}`))).toEqual({ names: ["one"] });
    expect(await read(await file("server.json", JSON.stringify(listed("single"))))).toEqual({
      names: ["single"],
    });
    expect(asked).toEqual([]);
  });

  it("that cannot be read is said", async () => {
    await mkdir(path.join(folder, "folder"));
    const full = "The setting must be an address with http or https, or the full path of a file.";
    const problems: [string, string][] = [
      [path.join(folder, "gone.json"), "The file does not exist."],
      [path.join(folder, "folder"), "It is not a file."],
      ["servers.json", full],
      ["ftp://example.com/list", full],
      [await file("text.json", "servers: []"), "The content is not JSON."],
      [await file("array.json", "[1, 2]"), "The content is not a list in the format of the MCP registry."],
      [await file("huge.json", " ".repeat(5_000_001)), "The list is larger than 5 MB."],
    ];
    for (const [source, problem] of problems)
      expect(await read(source), source).toEqual({ names: [], problem });
  });
});

it("is empty, without a problem, where none is configured", async () => {
  expect(await read("  ")).toEqual({ names: [] });
});
