import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { parseScript } from "./script.ts";
import { startModelServer } from "./server.ts";

const USAGE = `Usage: model-server [--port N] [--script FILE.json] [--exit-with-stdin]
  --port N            port on the loopback address; default 0: any free one
  --script FILE.json  the script to play; default: the demonstration
  --exit-with-stdin   end when standard input closes
Prints one line of JSON, {"url": "...", "port": N}, once it listens. Ends on SIGTERM and SIGINT.`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: "string", default: "0" },
      script: { type: "string" },
      "exit-with-stdin": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return;
  }
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new Error(`--port: not a port: ${values.port}`);
  // Validates a raw script first, so that its errors are reported before the server listens.
  const script = values.script === undefined ? undefined : await readScript(values.script);
  const server = await startModelServer({ port, ...(script === undefined ? {} : { script }) });
  let ending = false;
  const end = (): void => {
    if (ending) return;
    ending = true;
    process.stdin.destroy();
    void server.close();
  };
  process.once("SIGTERM", end);
  process.once("SIGINT", end);
  if (values["exit-with-stdin"]) process.stdin.once("end", end).once("close", end).resume();
  // Whoever reads this may send a signal at once.
  console.log(JSON.stringify({ url: server.url, port: server.port }));
}

async function readScript(file: string): Promise<ReturnType<typeof parseScript>> {
  return parseScript(JSON.parse(await readFile(file, "utf8")));
}

main().catch((error: unknown) => {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exitCode = 2;
});
