/** The browser of the terminal host: found on PATH, loaded from the built files, and gone with the task. */
import { expect, it } from "vitest";
import { browserScript } from "../model-server/scripts/browser.ts";
import { env, placeOfEachTest, project, server, site } from "./browser-place.ts";

placeOfEachTest();

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
