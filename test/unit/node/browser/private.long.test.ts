/**
 * Other ports of this machine, launches that nobody approved, what a launched address redirects to, and files that may not be read.
 * For `npm test`, pages.test.ts tries each kind of way to a private address once, rules.test.ts all of the rules, and life.test.ts
 * launches a file.
 */
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { ToolError } from "../../../../src/core/errors.ts";
import { temporaryFolder } from "../support.ts";
import { heard, hidden, launch, ownAddress, site, told } from "./support.ts";

describe("another private address", () => {
  it("is not opened by a launch that nobody approved, whatever it is called, with the reason", async () => {
    const { origin, requests } = await site();
    const named = (host: string) => origin.replace("127.0.0.1", host);
    for (const url of [`${origin}/`, named("localhost"), named("localhost."), named("a.localhost.")]) {
      const error = await launch(url, { privateHosts: [] }).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ToolError);
      expect(String(error)).toContain("it is on this computer or a private network");
    }
    expect(requests).toEqual([]);
  });

  it("is not opened by a redirect from the address that was launched", async () => {
    const other = await site(hidden);
    const { origin } = await site();
    const error = await launch(`${origin}/to?where=${other.origin}/secret`).catch(
      (thrown: unknown) => thrown,
    );
    expect(String(error)).toContain(`${other.origin}/secret was not opened`);
    expect(other.requests).toEqual([]);
  });
});

it("a file that may not be read is not opened", async () => {
  const page = path.join(await temporaryFolder(), "page.html");
  await writeFile(page, "<title>File</title><h1>File</h1>");
  const error = await launch(pathToFileURL(page).href).catch((thrown: unknown) => thrown);
  expect(String(error)).toContain("not a file that may be read");
});

describe("what the network stack itself refuses", () => {
  it("includes other ports of this machine, unless the page is that of a development server", async () => {
    const { port } = new URL((await site()).origin);
    const server = createServer((_, response) =>
      response.end(`<h1>Try</h1><script>
        for (const host of ["localhost", "localhost.", "[::1]", "[::ffff:127.0.0.1]", "127.0.0.1"])
          new WebSocket("ws://" + host + ":${port}/").onerror = () => console.log("failed", host);
      </script>`),
    );
    await new Promise<void>((resolve) => server.listen(0, resolve));
    onTestFinished(() => void server.close());
    const at = `${ownAddress()}:${(server.address() as AddressInfo).port}`;
    const tried = await launch(`http://${at}/`, { privateHosts: [at, "localhost:3000"] });
    await heard(tried, "console", "ERR_NAME_NOT_RESOLVED", 5);
    const failures = told(tried.state, "console").split("ERR_NAME_NOT_RESOLVED").length - 1;
    expect({ at, failures }).toEqual({ at, failures: 5 });
  });
});
