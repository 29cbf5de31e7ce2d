/** Runs once before all tests of Windows' Node: a fresh Wine prefix, which is a Windows with a drive C: of its own. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { forwardingDll } from "../../scripts/lib/forwarding-dll.mjs";
import { ensureWindowsPrograms } from "../../scripts/lib/windows.mjs";

const run = promisify(execFile);
const repository = path.join(import.meta.dirname, "../..");

export interface Lane {
  /** The program that runs Windows' programs. */
  wine: string;
  /** Windows' Node, as Linux names it. */
  node: string;
  /** The folder of the Wine prefix, as Linux names it; `drive_c` in it is the drive C:. */
  prefix: string;
  /** A folder with the locales of the code pages. */
  locales: string;
}

declare module "vitest" {
  interface ProvidedContext {
    lane: Lane;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!existsSync(path.join(repository, "dist/cli.js")))
    throw new Error("dist/cli.js is missing: run npm run build first");
  const { wine, node, ripgrep } = await ensureWindowsPrograms();
  const scratch = await mkdtemp(path.join(tmpdir(), "nekode-windows-"));
  const prefix = path.join(scratch, "prefix");
  const locales = path.join(scratch, "locales");
  await Promise.all([prefix, locales, path.join(scratch, "home")].map((folder) => mkdir(folder)));
  const env = wineEnvironment({ prefix, locales });
  const wined = (...args: string[]) => run(wine, args, { env, cwd: scratch, timeout: 180_000 });
  await wined("wineboot", "-i");
  // Otherwise Node refuses to start.
  await wined("reg", "add", String.raw`HKCU\Software\Wine`, "/v", "Version", "/d", "win10", "/f");
  const drive = path.join(prefix, "drive_c");
  // Wine's PowerShell does nothing. Without it, cmd.exe is the shell.
  await rm(path.join(drive, "windows/system32/WindowsPowerShell"), { recursive: true, force: true });
  await cp(path.join(repository, "dist"), path.join(drive, "nekode"), {
    recursive: true,
    filter: (file) => !/\.(?:map|mts)$|[/\\]webview$/.test(file),
  });
  const tools = path.join(drive, "tools");
  await mkdir(tools);
  await Promise.all([
    ...["no-keep-alive.cjs", "many-runs.cjs"].map((name) =>
      copyFile(path.join(import.meta.dirname, name), path.join(tools, name)),
    ),
    copyFile(node, path.join(tools, "node.exe")),
    copyFile(ripgrep, path.join(tools, "rg.exe")),
    // Wine lacks the library from which ripgrep takes random numbers, and another one of its libraries has the same function.
    writeFile(
      path.join(tools, "bcryptprimitives.dll"),
      forwardingDll("bcryptprimitives.dll", { ProcessPrng: "advapi32.SystemFunction036" }),
    ),
    ...["ja_JP", "zh_CN"].map((name) =>
      run("localedef", ["-i", name, "-f", "UTF-8", path.join(locales, `${name}.UTF-8`)]),
    ),
  ]);
  project.provide("lane", { wine, node: path.join(tools, "node.exe"), prefix, locales });
  return async () => {
    await run(path.join(path.dirname(wine), "wineserver"), ["-k"], { env }).catch(() => undefined);
    await rm(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
}

/** What every program of Wine is started with; nothing of the developer's own environment but the folders of programs. */
export function wineEnvironment({
  prefix,
  locales,
}: Pick<Lane, "prefix" | "locales">): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: path.join(path.dirname(prefix), "home"),
    LC_ALL: "C.UTF-8",
    LOCPATH: locales,
    WINEPREFIX: prefix,
    WINEDEBUG: "-all",
    WINEPATH: String.raw`C:\tools`,
    // It would offer to download Mono and Gecko.
    WINEDLLOVERRIDES: "mscoree,mshtml=",
  };
}
