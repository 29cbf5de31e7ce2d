/** The connection to a real server with every feature, over the transports that are older or that it finds by itself. */
import { describeTransport } from "./everything-support.ts";
import { everythingOnPort } from "./support.ts";

describeTransport("http, found by itself", async (whenOver) => ({
  type: "auto",
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
