/**
 * A PDF file in the built terminal host. `web.test.ts` proves pages, and test/unit/node the files that are converted.
 */
import { expect, it } from "vitest";
import { webScript } from "../model-server/scripts/web.ts";
import { base, env, host, placeOfEachTest, project, sent, server } from "./web-place.ts";

placeOfEachTest();

it("without asking where web access is approved: a PDF file", async () => {
  server.setScript(webScript(`${base}/pdf`));
  const args = ["--approve", "read,web", "--private-hosts", host, "Read it"];
  const { code } = await project.run(args, env);
  expect(code).toBe(0);
  expect(sent(2)).toContain("## Page 1 of 1\\n\\nneko");
});
