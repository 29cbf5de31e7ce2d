// VS Code's own server and workbench, from the npm package code-server, installed once per machine.
//
// The package's postinstall script contacts hosts other than the package registry (a ripgrep download) and needs system
// libraries that few machines have (Kerberos). So install scripts are disabled, and the parts that the workbench needs
// are built by name.
import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { installOnce } from "./cache.mjs";
import { npmEnvironment } from "./dependencies.mjs";
import { step, Trouble } from "./log.mjs";
import { ensureNode } from "./node-runtime.mjs";
import { run, which } from "./processes.mjs";
import { installSystemPackages, whileInstalling } from "./system-packages.mjs";

/** code-server for the oldest VS Code that we support (1.100.3). */
export const OLDEST_VERSION = "4.100.3";
/** code-server for the newest VS Code that we have tried (1.139.1). */
export const NEWEST_VERSION = "4.139.1";

/** Increment when the installation procedure changes, so that caches are rebuilt. */
const RECIPE = 1;
const RIPGREP_VERSION = "1.18.0";

/** @type {Record<string, { node: number, rebuild: string[] }>} */
const BUILDS = {
  [OLDEST_VERSION]: {
    node: 20,
    rebuild: ["@vscode/spdlog", "native-watchdog", "node-pty", "@parcel/watcher"],
  },
  [NEWEST_VERSION]: {
    node: 24,
    rebuild: [
      "@vscode/spdlog",
      "@vscode/native-watchdog",
      "@vscode/sqlite3",
      "@vscode/fs-copyfile",
      "@parcel/watcher",
      "node-pty",
    ],
  },
};

/**
 * @typedef {object} CodeServer
 * @property {string} version of the package code-server
 * @property {string} entry script to start with `node`
 * @property {string} node the Node that it was built for
 */

/**
 * Finds or installs code-server in the cache folder.
 * @param {string} [version]
 * @returns {Promise<CodeServer>}
 */
export async function ensureCodeServer(version = OLDEST_VERSION) {
  const build = BUILDS[version];
  if (build === undefined)
    throw new Trouble(
      `code-server ${version} is not known here; one of ${Object.keys(BUILDS).join(", ")} is.`,
    );
  const node = await ensureNode(build.node);
  const folder = await installOnce(`code-server-${version}-${RECIPE}`, (temporary) =>
    step(
      `Installing VS Code 1${version.slice(1)} (code-server ${version}) into the cache, once, a minute or two`,
      () => install(temporary, version, build.rebuild, node),
    ),
  );
  return {
    version,
    entry: path.join(folder, "node_modules/code-server/out/node/entry.js"),
    node: node.executable,
  };
}

/**
 * @param {string} folder
 * @param {string} version
 * @param {string[]} rebuild
 * @param {import("./node-runtime.mjs").NodeRuntime} node
 */
async function install(folder, version, rebuild, node) {
  await ensureBuildTools();
  const env = npmEnvironment({
    PATH: `${path.dirname(node.executable)}${path.delimiter}${process.env.PATH ?? ""}`,
    // node-pty's post-install script calls `npx node-gyp`, which would prompt.
    npm_config_yes: "true",
    ...(node.headers === undefined ? {} : { npm_config_nodedir: node.headers }),
  });
  const npm = (/** @type {string} */ cwd, /** @type {string[]} */ ...args) =>
    run("npm", [...args, "--no-audit", "--no-fund"], { cwd, env });
  const installIn = (/** @type {string} */ cwd, /** @type {string[]} */ ...packages) =>
    npm(cwd, "install", "--ignore-scripts", "--omit=dev", ...packages);

  await writeFile(path.join(folder, "package.json"), JSON.stringify({ private: true }));
  await installIn(folder, `code-server@${version}`, `@vscode/ripgrep@${RIPGREP_VERSION}`);
  const server = path.join(folder, "node_modules/code-server");
  const vscode = path.join(server, "lib/vscode");

  await Promise.all([
    npm(folder, "rebuild", "argon2"),
    installIn(path.join(vscode, "extensions")),
    installIn(vscode).then(async () => {
      const failure = await npm(vscode, "rebuild", ...rebuild).catch((error) => error);
      // node-pty's last step may fail after the required part has been built.
      if (!(await nativePartsBuilt(vscode)))
        throw failure ?? new Trouble("VS Code's native modules were not built");
    }),
  ]);

  const ripgrep = path.join(vscode, "node_modules/@vscode/ripgrep/bin");
  await mkdir(ripgrep, { recursive: true });
  const rg = process.platform === "win32" ? "rg.exe" : "rg";
  await copyFile(
    path.join(folder, `node_modules/@vscode/ripgrep-${process.platform}-${process.arch}/bin/${rg}`),
    path.join(ripgrep, rg),
  );
  await rm(path.join(vscode, "node_modules.asar"), { recursive: true, force: true });
  await symlink("node_modules", path.join(vscode, "node_modules.asar"), "junction");
  const { output } = await run(node.executable, [path.join(server, "out/node/entry.js"), "--version"], {
    timeoutMs: 60_000,
  });
  if (!output.includes(version)) throw new Trouble(`code-server does not start:\n${output}`);
}

/** @param {string} vscode */
async function nativePartsBuilt(vscode) {
  const modules = path.join(vscode, "node_modules");
  const pty = path.join(modules, "node-pty");
  const hasPty =
    existsSync(path.join(pty, "build/Release/pty.node")) ||
    (existsSync(path.join(pty, "prebuilds")) &&
      (await readdir(path.join(pty, "prebuilds"))).includes(`${process.platform}-${process.arch}`));
  return hasPty && existsSync(path.join(modules, "@vscode/spdlog/build/Release/spdlog.node"));
}

async function ensureBuildTools() {
  const lacking = () =>
    ["python3", "make", "g++"].filter(
      (name) => which(name) === undefined && !(name === "g++" && which("c++") !== undefined),
    );
  if (lacking().length > 0)
    await whileInstalling(() => installSystemPackages(lacking(), "building VS Code's native modules"));
}
