/** Connects to the server at the address, closes the connection once the stream of changes has dropped, and then ends by itself. */
import { createModelFetch } from "../../../../src/node/net/model-fetch.ts";
import { createServerConnector } from "../../../../src/node/servers/connector.ts";

async function run(): Promise<void> {
  const [url = ""] = process.argv.slice(2);
  const { signal } = new AbortController();
  const own = createServerConnector({
    folder: "",
    roots: () => [],
    environment: {},
    fetch: createModelFetch({}),
    version: "0",
    secrets: { get: async () => undefined, set: async () => {}, delete: async () => {} },
    dataDir: undefined,
    signIn: [],
  });
  let onDropped = () => {};
  const dropped = new Promise<void>((resolve) => {
    onDropped = resolve;
  });
  const connection = await own.connect(
    "sample",
    { type: "http", url, headers: {} },
    {
      log: (line) => line.includes("disconnected") && onDropped(),
      changed: () => {},
      ask: async () => ({ action: "cancel" }),
      roots: () => [],
    },
    { signal, timeoutMs: 20_000 },
  );
  await connection.callTool("drop", {}, { signal, timeoutMs: 20_000 });
  await dropped;
  await connection.close();
  process.stdout.write("closed\n");
}

void run();
