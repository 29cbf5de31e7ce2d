// Starts and stops a VS Code server for tests and for `npm start`.
import { existsSync } from "node:fs";
import { cp, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { ensureCodeServer, OLDEST_VERSION } from "./code-server-install.mjs";
import { writeAllSettings } from "./code-server-settings.mjs";
import { Trouble } from "./log.mjs";
import { run, startGuarded, tail } from "./processes.mjs";

/**
 * @typedef {object} ServerOptions
 * @property {string} [version] of code-server, installed when missing
 * @property {string} userDataDir settings, storage and logs
 * @property {string} [extensionsDir] default: `extensions` in userDataDir
 * @property {number} [port] default: a free one
 * @property {Record<string, unknown>} [settings] user's and machine's alike; see writeAllSettings
 * @property {boolean} [keepSettings] keeps the previous content of the settings files, under `settings`
 * @property {string} [vsix] installed before the start
 * @property {boolean} [trust] true (default): every workspace is trusted; false: VS Code asks
 * @property {string[]} [prefix] a program and its arguments that the server's command is handed to
 * @property {NodeJS.ProcessEnv} [env] over this process's environment
 * @property {number} [timeoutMs] for the start; default 60 s
 */

/**
 * @typedef {object} RunningServer
 * @property {string} url without a path or trailing slash
 * @property {number} port
 * @property {string} userDataDir
 * @property {Promise<number>} exited settles when the server ended, for whatever reason
 * @property {(folder: string, query?: Record<string, string>) => string} folderUrl the page for a workspace folder
 * @property {() => string} output what the server printed so far
 * @property {(folder: string) => Promise<void>} saveLogs copies its output and VS Code's own logs
 * @property {() => Promise<void>} stop ends the server and all that it started
 */

/**
 * Starts a server and resolves when it listens.
 * @param {ServerOptions} options
 * @returns {Promise<RunningServer>}
 */
export async function startCodeServer(options) {
  const { userDataDir, timeoutMs = 60_000 } = options;
  const extensionsDir = options.extensionsDir ?? path.join(userDataDir, "extensions");
  const codeServer = await ensureCodeServer(options.version ?? OLDEST_VERSION);
  await mkdir(extensionsDir, { recursive: true });
  await writeAllSettings(userDataDir, options.settings ?? {}, { keep: options.keepSettings ?? false });
  if (options.vsix !== undefined) await installVsix(codeServer, extensionsDir, options.vsix);

  let output = "";
  let stopping = false;
  /** @type {(port: number) => void} */
  let listening = () => {};
  /** @type {Promise<number>} */
  const port = new Promise((resolve) => {
    listening = resolve;
  });
  const [program = codeServer.node, ...before] = [...(options.prefix ?? []), codeServer.node];
  const server = startGuarded(
    program,
    [
      ...[...before, codeServer.entry],
      ...commonFlags(userDataDir, extensionsDir),
      ...["--auth", "none", "--bind-addr", `127.0.0.1:${options.port ?? 0}`],
      ...["--session-socket", path.join(userDataDir, "ipc.sock")],
      ...[
        "--disable-telemetry",
        "--disable-update-check",
        "--disable-getting-started-override",
        "--ignore-last-opened",
      ],
      ...(options.trust === false ? [] : ["--disable-workspace-trust"]),
    ],
    {
      // Sessions also stay in this server's folder, separate from the user's own.
      env: serverEnvironment({ NEKODE_DATA_DIR: path.join(userDataDir, "nekode"), ...options.env }),
      onOutput: (text) => {
        // A server that is asked to end prints its whole bundle as the context of an error.
        if (!stopping) output += text;
        const found = /HTTP server listening on https?:\/\/[^\s/]*:(\d+)/.exec(output);
        if (found) listening(Number(found[1]));
      },
    },
  );

  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not listen within ${timeoutMs / 1000} s`)), timeoutMs);
  });
  const died = server.exited.then((code) => {
    throw new Error(`it ended with exit code ${code}`);
  });
  died.catch(() => {});
  try {
    const bound = /** @type {number} */ (await Promise.race([port, late, died]));
    const url = `http://127.0.0.1:${bound}`;
    return {
      url,
      port: bound,
      userDataDir,
      exited: server.exited,
      folderUrl: (folder, query = {}) => `${url}/?${new URLSearchParams({ folder, ...query })}`,
      output: () => output,
      async saveLogs(folder) {
        await mkdir(folder, { recursive: true });
        await writeFile(path.join(folder, "code-server.log"), output);
        const logs = path.join(userDataDir, "logs");
        if (existsSync(logs)) await cp(logs, path.join(folder, "vscode-logs"), { recursive: true });
      },
      async stop() {
        stopping = true;
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    const reason = error instanceof Error ? error.message : error;
    throw new Trouble(`The VS Code server did not start: ${reason}\n${tail(output)}`);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Installs packages of extensions into a folder that servers can share.
 * @param {import("./code-server-install.mjs").CodeServer} codeServer
 * @param {string} extensionsDir
 * @param {string[]} packages
 */
export async function installVsix(codeServer, extensionsDir, ...packages) {
  await mkdir(extensionsDir, { recursive: true });
  const flags = packages.flatMap((file) => ["--install-extension", file]);
  const output = await runCli(codeServer, extensionsDir, [...flags, "--force"]);
  if (output.split("was successfully installed").length <= packages.length)
    throw new Trouble(`VS Code did not install the extension:\n${tail(output)}`);
}

/**
 * @param {import("./code-server-install.mjs").CodeServer} codeServer
 * @param {string} extensionsDir
 * @param {string[]} args
 */
async function runCli(codeServer, extensionsDir, args) {
  const flags = commonFlags(path.join(extensionsDir, "..", "cli-data"), extensionsDir);
  const { output } = await run(codeServer.node, [codeServer.entry, ...flags, ...args], {
    env: serverEnvironment(),
    timeoutMs: 120_000,
  });
  return output;
}

/** @param {string} userDataDir @param {string} extensionsDir */
const commonFlags = (userDataDir, extensionsDir) => [
  ...["--config", path.join(userDataDir, "code-server.yaml")],
  ...["--user-data-dir", userDataDir, "--extensions-dir", extensionsDir],
];

/**
 * This process's environment without the variables of npm, a surrounding VS Code or a test runner, and without an
 * extension gallery, so that no network requests are made.
 * @param {NodeJS.ProcessEnv} [extra]
 */
function serverEnvironment(extra = {}) {
  /** @type {NodeJS.ProcessEnv} */
  const env = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (
      !/^(npm_|VSCODE_|VITEST|CODE_SERVER_|NODE_OPTIONS$|NODE_ENV$|PASSWORD$|INIT_CWD$|FORCE_COLOR$|NO_COLOR$)/i.test(
        name,
      )
    )
      env[name] = value;
  }
  return { ...env, EXTENSIONS_GALLERY: "{}", ...extra };
}
