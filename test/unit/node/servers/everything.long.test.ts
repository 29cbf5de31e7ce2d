/**
 * The connection to a real server with every feature, over http and the older transport. everything.test.ts has, for
 * `npm test`, what a server is started with and what is found by itself.
 */
import { describeTransport } from "./everything-support.ts";
import { everythingOnPort } from "./support.ts";

describeTransport("http", async (whenOver) => ({
  type: "http",
  url: await everythingOnPort("streamableHttp", whenOver),
  headers: {},
}));
describeTransport("sse", async (whenOver) => ({
  type: "sse",
  url: await everythingOnPort("sse", whenOver),
  headers: {},
}));
describeTransport("sse, found by itself", async (whenOver) => ({
  type: "auto",
  url: await everythingOnPort("sse", whenOver),
  headers: {},
}));
