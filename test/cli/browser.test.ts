/** The browser of the terminal host: found on PATH, loaded from the built files, and gone with the task. */
import { mkdir, readdir, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ensureChromium } from "../../scripts/lib/install.mjs";
import { browserScript } from "../model-server/scripts/browser.ts";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { type SmallSite, startSmallSite } from "../support/small-site.ts";
import { Project } from "./support.ts";

let server: ModelServer;
let site: SmallSite;
let project: Project;
let env: Record<string, string>;

beforeEach(async () => {
  site = await startSmallSite();
  server = await startModelServer({ script: browserScript(`${site.origin}/dialogs`, "20,100") });
  project = await Project.create({});
  // Beside the project, because a browser inside it would not be used.
  const bin = path.join(project.dataDir, "bin");
  await mkdir(bin, { recursive: true });
  await symlink(await ensureChromium(), path.join(bin, "chromium"));
  env = {
    NEKODE_BASE_URL: server.url,
    NEKODE_MODEL: "scripted",
    PATH: `${bin}${path.delimiter}${process.env.PATH ?? ""}`,
  };
});
afterEach(async () => {
  expect(server.refusals).toEqual([]);
  await server.close();
  await site.close();
  await project.remove();
});

it("looks at a development server whose host the user named, without asking", async () => {
  const { host } = new URL(site.origin);
  const args = ["--approve", "read,web", "--private-hosts", host, "--json", "Look"];
  const { child, ended } = project.start(args, env);
  const { code, stderr } = await ended;
  expect(code, stderr).toBe(0);
  expect(site.requests[0]).toBe("GET /dialogs");
  const sent = JSON.stringify(server.chat(3).messages);
  expect(sent.match(/data:image\/jpeg/g)).toHaveLength(2);
  const left = (await readdir(tmpdir())).filter((name) => name.startsWith(`nekode-browser-${child.pid}-`));
  expect(left).toEqual([]);
});

it("asks on the terminal, with the address and the reason, and opens nothing without a yes", async () => {
  const { stdout } = await project.converse(["Look"], env, [["[n]o", "n\r"]]);
  expect(stdout).toContain(`${site.origin}/dialogs`);
  expect(stdout).toContain("is on this computer or a private network");
  expect(site.requests).toEqual([]);
  server.setScript(browserScript(`${site.origin}/dialogs`, "20,100"));
  const { code: unasked } = await project.run(["--approve", "web", "Look"], env);
  expect(unasked).toBe(4);
  expect(site.requests).toEqual([]);
});
