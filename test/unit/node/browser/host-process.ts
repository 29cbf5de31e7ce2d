/** A host that is killed: launches a browser on an address, clicks, and reports each step on standard output. */
import { createBrowsers } from "../../../../src/node/browser/browsers.ts";

const [, , url = "", program = ""] = process.argv;
const { signal } = new AbortController();
const browsers = createBrowsers({
  environment: process.env,
  roots: [],
  log: { info: () => {}, error: (text, error) => console.error(text, error) },
});
console.log("starting");
const { page } = await browsers.launch({
  ...{ url, path: program, connect: "", viewport: { width: 900, height: 600 }, signal },
  privateHosts: [new URL(url).host],
  mayRead: async () => false,
});
console.log("launched");
for (;;) {
  await page.act({ type: "click", x: 10, y: 10 }, signal);
  console.log("acted");
}
