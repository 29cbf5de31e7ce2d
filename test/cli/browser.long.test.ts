/**
 * The browser of the terminal host at work: found on PATH, loaded from the built files, and gone with the task. `browser.test.ts`
 * proves what is asked before, and test/unit/node/browser what the browser does.
 */
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { env, placeOfEachTest, project, server, site } from "./browser-place.ts";

placeOfEachTest();

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
