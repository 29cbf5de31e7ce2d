/** What `cli-package.test.ts` and `cli-package.long.test.ts` begin with. */
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { z } from "zod";
import { packageCli } from "../../scripts/lib/cli-package.mjs";
import { npmEnvironment, ROOT } from "../../scripts/lib/dependencies.mjs";
import { run } from "../../scripts/lib/processes.mjs";
import { startModelServer } from "../model-server/server.ts";

/** The package of ripgrep for this system. */
const RIPGREP = `@vscode/ripgrep-${process.platform}-${process.arch}`;

/** The program as npm installs it from the package, into a folder of its own. */
export class InstalledCli {
  readonly prefix: string;
  readonly #registry: http.Server;

  private constructor(
    readonly folder: string,
    /** The package. */
    readonly file: string,
    registry: http.Server,
  ) {
    this.prefix = path.join(folder, "prefix");
    this.#registry = registry;
  }

  /** `offline`: npm reaches no registry, so that the package is all there is. */
  static async create({ offline = false } = {}): Promise<InstalledCli> {
    const folder = await mkdtemp(path.join(tmpdir(), "nekode-installed-"));
    const installed = new InstalledCli(folder, await packageCli(folder), await registryOf(folder));
    const { port } = installed.#registry.address() as AddressInfo;
    await mkdir(path.join(folder, "home"));
    await run("npm", ["install", "-g", "--no-audit", "--no-fund", installed.file], {
      cwd: folder,
      env: npmEnvironment({
        HOME: path.join(folder, "home"),
        npm_config_userconfig: path.join(folder, "home/.npmrc"),
        npm_config_cache: path.join(folder, "npm-cache"),
        npm_config_prefix: installed.prefix,
        npm_config_registry: `http://127.0.0.1:${port}/`,
        npm_config_offline: String(offline),
        npm_config_update_notifier: "false",
      }),
    });
    return installed;
  }

  get #project(): string {
    return path.join(this.folder, "project");
  }

  /** The package's folder. */
  get root(): string {
    return path.join(this.prefix, "lib/node_modules/nekode-cli");
  }

  /** Runs `nekode` in a project, with Node of this folder first on PATH; PATH has no ripgrep. Rejects if it fails. */
  async nekode(
    args: string[],
    { node = path.dirname(process.execPath), env = {} }: { node?: string; env?: Record<string, string> } = {},
  ): Promise<string> {
    await mkdir(this.#project, { recursive: true });
    const { output } = await run(path.join(this.prefix, "bin/nekode"), args, {
      cwd: this.#project,
      env: {
        PATH: [node, "/usr/bin", "/bin"].join(path.delimiter),
        HOME: path.join(this.folder, "home"),
        LANG: "C.UTF-8",
        ...env,
      },
    });
    return output;
  }

  /** The second request of a task whose first call searches: it has what was found. */
  async searched(node?: string): Promise<string> {
    const server = await startModelServer({
      script: {
        turns: [
          {
            match: { request: 1 },
            answer: [{ tool: "search_files", params: { path: ".", regex: "neko.?cat" } }],
          },
          {
            match: { request: 2 },
            answer: [{ tool: "attempt_completion", params: { result: "Searched." } }],
          },
        ],
      },
    });
    try {
      await mkdir(this.#project, { recursive: true });
      await writeFile(path.join(this.#project, "cats.txt"), "here sleeps a neko cat\n");
      const env = { NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted", NEKODE_API_KEY: "test-key" };
      await this.nekode(["Search for cats"], { env, ...(node === undefined ? {} : { node }) });
      return JSON.stringify(server.chat(2).messages);
    } finally {
      await server.close();
    }
  }

  /** Bytes of all files that npm installed. */
  async size(): Promise<number> {
    const entries = await readdir(this.root, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const sizes = await Promise.all(files.map(({ parentPath, name }) => stat(path.join(parentPath, name))));
    return sizes.reduce((sum, { size }) => sum + size, 0);
  }

  async remove(): Promise<void> {
    this.#registry.closeAllConnections();
    this.#registry.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** A registry that has the package of ripgrep for this system and no other. */
async function registryOf(folder: string): Promise<http.Server> {
  const source = path.join(ROOT, "node_modules", RIPGREP);
  const { version } = z.object({ version: z.string() }).parse(await json(path.join(source, "package.json")));
  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder, source], {
    env: npmEnvironment(),
  });
  const archive = path.join(folder, `${RIPGREP.slice(1).replace("/", "-")}-${version}.tgz`);
  const manifest = z.looseObject({}).parse(await json(path.join(source, "package.json")));
  const server = http.createServer((request, response) => {
    const asked = decodeURIComponent(request.url ?? "").slice(1);
    if (asked === "ripgrep.tgz") createReadStream(archive).pipe(response);
    else if (asked === RIPGREP) {
      const tarball = `http://${request.headers.host}/ripgrep.tgz`;
      const versions = { [version]: { ...manifest, dist: { tarball } } };
      response.end(JSON.stringify({ name: RIPGREP, "dist-tags": { latest: version }, versions }));
    } else response.writeHead(404).end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

const json = async (file: string): Promise<unknown> => JSON.parse(await readFile(file, "utf8"));
