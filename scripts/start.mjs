// npm start: a real VS Code with the extension installed, on a sample workspace, with the scripted model.
import { parseArgs } from "node:util";
import { ensureDependencies } from "./lib/install.mjs";
import { runMain, Trouble } from "./lib/log.mjs";

const USAGE = `npm start -- [options]
  --port N           port of VS Code on the loopback address (default: a free one)
  --no-open          only print the address
  --workspace DIR    your folder instead of the sample workspace
  --base-url URL     a real OpenAI-compatible model instead of the scripted one; the key is in NEKODE_API_KEY
  --model M          its name
  --desktop          the desktop VS Code: needs \`code\` on PATH`;

await runMain(async () => {
  const options = readOptions();
  if (options.help) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const port = options.port === undefined ? undefined : Number(options.port);
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port < 65536))
    throw new Trouble(`--port: not a port: ${options.port}`);
  await ensureDependencies();
  const { start } = await import("./lib/start.mjs");
  const code = await start({
    port,
    open: !options["no-open"],
    workspace: options.workspace,
    baseUrl: options["base-url"],
    model: options.model,
    desktop: options.desktop ?? false,
  });
  // Operations still pending when the user ended the run end with this process.
  process.exit(code);
});

function readOptions() {
  try {
    return parseArgs({
      options: {
        port: { type: "string" },
        "no-open": { type: "boolean" },
        workspace: { type: "string" },
        "base-url": { type: "string" },
        model: { type: "string" },
        desktop: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    }).values;
  } catch (error) {
    throw new Trouble(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  }
}
