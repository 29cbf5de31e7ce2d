/**
 * A window of its own: argument 1 is the file of secrets, 2 the data folder, 3 the launch as JSON. It prints "ready", waits for its
 * input, calls the server, and prints the result.
 */
import { once } from "node:events";
import type { ServerLaunch } from "../../../../src/core/ports/servers.ts";
import { createModelFetch } from "../../../../src/node/net/model-fetch.ts";
import { createServerConnector } from "../../../../src/node/servers/connector.ts";
import { createFileSecrets } from "../../../../src/node/store/secret-file.ts";

async function run(): Promise<void> {
  const [, , file = "", dataDir = "", launchText = ""] = process.argv;
  const launch: ServerLaunch = JSON.parse(launchText);
  const connector = createServerConnector({
    folder: dataDir,
    roots: () => [],
    environment: process.env,
    fetch: createModelFetch({}),
    version: "0.0.0",
    secrets: createFileSecrets(file),
    dataDir,
    signIn: [],
  });
  const events = {
    log: () => {},
    changed: () => {},
    ask: async () => ({ action: "decline" as const }),
    roots: () => [],
  };
  const options = { signal: new AbortController().signal, timeoutMs: 20_000 };
  console.log("ready");
  await once(process.stdin, "data");
  const connection = await connector.connect("sample", launch, events, options);
  const result = await connection.callTool("secret", {}, options);
  console.log(JSON.stringify(result.content));
  await connection.close();
}

void run();
