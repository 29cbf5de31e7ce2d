/** Pages in the built terminal host: asked for with the exact URL, fetched over real HTTP, converted in the real thread. */
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { webScript } from "../model-server/scripts/web.ts";
import { type ModelServer, type Script, startModelServer } from "../model-server/server.ts";
import { pdf } from "../support/office-files.ts";
import { underOne } from "../support/protocols.ts";
import { Project } from "./support.ts";

const KEY = "sk-4f9A_b2C7-d8E7-9c1B";

let server: ModelServer;
let project: Project;
let site: http.Server;
let base = "";
let host = "";
let asked: string[] = [];
let env: Record<string, string>;

beforeEach(async () => {
  server = await startModelServer();
  project = await Project.create({ "neko.txt": "猫\n" });
  env = { NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted", NEKODE_API_KEY: KEY };
  asked = [];
  site = http.createServer((request, response) => {
    asked.push(request.url ?? "");
    if (request.url?.startsWith("/searx/")) {
      const hit = { title: "吾輩は猫である", url: "https://cats.example/", content: "名前はまだ無い。" };
      response.end(JSON.stringify({ query: "猫", results: [hit], unresponsive_engines: [] }));
    } else if (request.url?.startsWith("/pdf")) {
      response.writeHead(200, { "content-type": "application/pdf" });
      response.end(pdf(["BT /F1 12 Tf 20 200 Td (neko) Tj ET"]));
    } else {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      const words = `<p>${"吾輩は猫である。名前はまだ無い。 ".repeat(40)}</p>`.repeat(3);
      response.end(
        `<title>吾輩は猫である</title><ul><li><a href="/x">Menu</a></li></ul><div class="post">${words}<p>The key was ${KEY}.</p></div>`,
      );
    }
  });
  site.listen(0, "127.0.0.1");
  await once(site, "listening");
  host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
  base = `http://${host}`;
});
afterEach(async () => {
  expect(server.refusals).toEqual([]);
  await server.close();
  await project.remove();
  site.closeAllConnections();
  site.close();
});

const sent = (request: number) => JSON.stringify(server.chat(request).messages);

it.each(underOne("xml"))(
  "under %s, shows the URL, asks, and gives the model the article",
  async (protocol) => {
    server.setScript(webScript(`${base}/a?q=猫\u202e`));
    const args = ["--protocol", protocol, "--private-hosts", `${host},localhost`, "Read it"];
    const { code, stdout } = await project.converse(args, env, [["[n]o", "y\r"]]);
    expect(code).toBe(0);
    expect(stdout).toContain(`${base}/a?q=%E7%8C%AB%E2%80%AE`);
    expect(stdout).toContain("Fetch this URL?");
    expect(stdout).not.toContain("\u202e");
    expect(asked).toEqual(["/a?q=%E7%8C%AB%E2%80%AE"]);
    expect(sent(2)).toContain("# 吾輩は猫である\\n\\n吾輩は猫である。");
    expect(sent(2)).toContain("</url_content>");
    expect(sent(2)).not.toContain("Menu");
    // The page repeated the key.
    expect(sent(2)).not.toContain(KEY);
  },
);

it("without asking where web access is approved: a PDF file", async () => {
  server.setScript(webScript(`${base}/pdf`));
  const args = ["--approve", "read,web", "--private-hosts", host, "Read it"];
  const { code } = await project.run(args, env);
  expect(code).toBe(0);
  expect(sent(2)).toContain("## Page 1 of 1\\n\\nneko");
});

it("a private host that nobody named, and a URL with the key, are not requested even if everything is approved", async () => {
  server.setScript(webScript(`${base}/a`, `${base}/?k=${KEY}`));
  const { code } = await project.run(["--approve", "all", "Read it"], env);
  expect(code).toBe(0);
  expect(asked).toEqual([]);
  expect(sent(2)).toContain("privateHosts");
  expect(sent(3)).toContain("contains an API key");
});

it("searches with the user's SearXNG server, and only then has the tool", async () => {
  const script: Script = {
    turns: [
      { match: { request: 1 }, answer: [{ tool: "web_search", params: { query: "猫" } }] },
      { answer: [{ tool: "attempt_completion", params: { result: "Found." } }] },
    ],
  };
  server.setScript(script);
  const search = { NEKODE_SEARCH_PROVIDER: "searxng", NEKODE_SEARCH_URL: `${base}/searx` };
  const { code, stdout } = await project.converse(["Search"], { ...env, ...search }, [["[n]o", "y\r"]]);
  expect(code).toBe(0);
  expect(stdout).toContain("Search the web for this?");
  expect(stdout).toContain(`${base}/searx/search?q=%E7%8C%AB&format=json`);
  expect(asked).toEqual(["/searx/search?q=%E7%8C%AB&format=json"]);
  expect(sent(2)).toContain("1. 吾輩は猫である\\n   https://cats.example/\\n   名前はまだ無い。");
  server.setScript(script);
  const without = await project.run(["--approve", "all", "Search"], env);
  expect(without.code).toBe(0);
  expect(sent(4)).toContain("There is no tool named web_search");
  expect(asked).toHaveLength(1);
});

it.each([
  [["--search-provider", "brave"], "NEKODE_SEARCH_API_KEY"],
  [["--search-provider", "searxng"], "--search-url"],
  [["--search-provider", "altavista"], "altavista"],
])("%j is a mistake that is named: %s", async (args, words) => {
  const { code, stderr } = await project.run([...args, "Search"], env);
  expect(code).toBe(2);
  expect(stderr).toContain(words);
});

it("with nobody to ask, nothing is requested", async () => {
  server.setScript(webScript(`${base}/a`));
  const { code } = await project.run(["--private-hosts", host, "Read it"], env);
  expect([code, asked]).toEqual([4, []]);
});
