/** What `web.test.ts` and `web.long.test.ts` begin with. */
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect } from "vitest";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { pdf } from "../support/office-files.ts";
import { Project } from "./support.ts";

export const KEY = "sk-4f9A_b2C7-d8E7-9c1B";

export let server: ModelServer;
export let project: Project;

let site: http.Server;

export let base = "";
export let host = "";
export let asked: string[] = [];
export let env: Record<string, string>;

export const sent = (request: number) => JSON.stringify(server.chat(request).messages);

/** To be called once in a file of tests. */
export function placeOfEachTest(): void {
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
}
