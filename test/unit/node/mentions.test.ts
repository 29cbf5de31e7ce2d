/** Mentions of what people really have, on a real disk and a real network: bounded, said, and the rest is sent. */
import { once } from "node:events";
import { mkdir, mkdtemp, open, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import iconv from "iconv-lite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expandMentions } from "../../../src/core/context/expand-mentions.ts";
import { estimateTokens } from "../../../src/core/context/tokens.ts";
import type { Host } from "../../../src/core/ports/host.ts";
import { settingsSchema } from "../../../src/shared/settings.ts";
import { createNodeHost } from "../../support/node-host.ts";
import { rounds } from "../../support/random.ts";
import { taskPages } from "../../support/task-pages.ts";

const log = { info: () => undefined, error: () => undefined };
const FILES = rounds(1_000, 10_000);
let folder = "";
let host: Host;
let server: http.Server;
let base = "";

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "nekode-mentions-"));
  const root = path.join(folder, "project");
  const other = path.join(folder, "画面");
  await mkdir(path.join(root, "big"), { recursive: true });
  await mkdir(other);
  for (let n = 0; n < FILES; n++) await writeFile(path.join(root, "big", `file ${n}.txt`), "");
  await writeFile(path.join(root, "a.ts"), "fine\n");
  await writeFile(
    path.join(root, "sjis.txt"),
    iconv.encode("吾輩は猫である。名前はまだ無い。\r\n", "shift_jis"),
  );
  await writeFile(path.join(root, "program"), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 255]));
  const png = Buffer.from([
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
  ]);
  await writeFile(path.join(root, "logo.png"), png);
  await writeFile(path.join(root, "one-line.json"), `"${"猫".repeat(1_500_000)}"`);
  await writeFile(path.join(other, "猫.txt"), "画面の猫\n");
  const huge = await open(path.join(root, "huge.log"), "w");
  await huge.truncate(50 * 1024 * 1024);
  await huge.close();
  ({ host } = createNodeHost({
    root,
    dataDir: path.join(folder, "data"),
    assetsDir: path.join(import.meta.dirname, "../../../node_modules/@vscode/ripgrep/bin"),
    log,
  }));
  const roots = [
    { name: "project", path: root },
    { name: "画面", path: other },
  ];
  host.workspace = { root, roots, trusted: true };
  server = http.createServer((request, response) => {
    if (request.url === "/never") return;
    if (request.url === "/inside")
      response.writeHead(302, { location: "http://169.254.169.254/latest/" }).end();
    else response.writeHead(200, { "content-type": "text/plain; charset=utf-8" }).end("見つけました");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  host.shell.dispose();
  await rm(folder, { recursive: true, force: true });
});

/** What each mention became, and the fine one that follows it. */
async function become(mention: string, privateHosts: string[] = []): Promise<string> {
  const { web } = host;
  const impatient = web && {
    ...host,
    web: {
      fetch: (url: string, options: Parameters<typeof web.fetch>[1]) =>
        web.fetch(url, url.endsWith("/never") ? { ...options, timeoutMs: 300 } : options),
    },
  };
  const { attachments } = await expandMentions(`${mention} and @/a.ts`, {
    host: impatient ?? host,
    pages: taskPages(impatient ?? host, { settings: settingsSchema.parse({ approval: { privateHosts } }) }),
    signal: new AbortController().signal,
    maxTokens: 20_000,
    refused: async () => undefined,
    onRead: () => undefined,
  });
  const [first = "", second] = attachments;
  expect(second).toBe('<file_content path="a.ts">\nfine\n\n</file_content>');
  expect(estimateTokens(first)).toBeLessThan(21_000);
  return first;
}

describe("a mention of", () => {
  it("a file of 50 MB is said, with what shows parts of it", async () => {
    expect(await become("@/huge.log")).toContain("(not included: the file has 50 MB; read_file");
  });

  it(`a folder of ${FILES} files lists the first, and says that there are more`, async () => {
    const text = await become("@/big/");
    expect(text).toMatch(/^<folder_content path="big\/">\nfile /);
    expect(text).toContain("(the first 200 files; list_files shows the others)");
  });

  it("a binary file says what it is", async () => {
    expect(await become("@/program")).toMatch(/\(not included: .*(?:not text|binary)/i);
  });

  it("an image or a document names the tool that reads it", async () => {
    expect(await become("@/logo.png")).toMatch(
      /\(not included: .*logo\.png.* read_file shows what is in it\)/,
    );
  });

  it("a file of a single line of 4.5 MB is cut", async () => {
    expect(await become("@/one-line.json")).toMatch(/\(cut here, \d+ characters omitted; read_file/);
  });

  it("a file in Shift-JIS is read as it was written", async () => {
    expect(await become("@/sjis.txt")).toContain("吾輩は猫である。名前はまだ無い。");
  });

  it("a file that is not there, or outside, is said", async () => {
    expect(await become("@/missing.ts")).toContain("(not included: there is no such file)");
    expect(await become("@/../../etc/passwd")).toContain("(not included: the path is outside the workspace)");
  });

  it("a file of another folder of the workspace is found by that folder's name", async () => {
    expect(await become("@画面:/猫.txt")).toBe(
      '<file_content path="@画面:/猫.txt">\n画面の猫\n\n</file_content>',
    );
    expect(await become("@nowhere:/a.ts")).toContain("no folder of the workspace is named nowhere");
  });

  it("a page that never answers is given up", async () => {
    expect(await become(`@${base}/never`, ["127.0.0.1"])).toContain(
      "(not included: the page did not load within",
    );
  });

  it("a page that leads to a private address is refused, and one that is allowed comes", async () => {
    expect(await become(`@${base}/inside`, ["127.0.0.1"])).toMatch(
      /not included: 169\.254\.169\.254 is on this computer/,
    );
    expect(await become(`@${base}/page`)).toMatch(/not included: 127\.0\.0\.1 is on this computer/);
    expect(await become(`@${base}/page`, ["127.0.0.1"])).toContain("見つけました");
  });
});

describe("no mention", () => {
  it.each([
    ["an unclosed quote", '@"/never closed.md'],
    ["a mention in a fence of code", "```\n@/missing.ts\n```"],
    ["a mention in a span of code", "`@/missing.ts`"],
    ["an e-mail address", "neko@example.com"],
    ["a decorator", "@Component({ selector: 'a' }) class A {}"],
    ["a package's name", "npm i @types/node @vscode/ripgrep"],
  ])("is %s", async (_name, text) => {
    const expanded = await expandMentions(text, {
      host,
      signal: new AbortController().signal,
      maxTokens: 1_000,
      pages: taskPages(host),
      refused: async () => undefined,
      onRead: () => undefined,
    });
    expect(expanded).toEqual({ text, attachments: [], images: [], problems: [] });
  });
});
