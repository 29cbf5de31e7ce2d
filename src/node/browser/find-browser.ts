/** Finds the Chrome, Chromium or Edge of this machine: on PATH and where their installers put them, never in the workspace. */
import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import { belongsTo, findProgram } from "../find-programs.ts";

/** In order of preference. */
const NAMES: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: [
    "google-chrome-stable",
    "google-chrome",
    "chromium",
    "chromium-browser",
    "microsoft-edge-stable",
    "microsoft-edge",
  ],
  darwin: ["chromium"],
  win32: ["chrome", "chromium", "msedge"],
};

const LINUX_PLACES = [
  "/opt/google/chrome/chrome",
  "/usr/lib/chromium/chromium",
  "/usr/lib/chromium-browser/chromium-browser",
  "/snap/bin/chromium",
  "/opt/microsoft/msedge/msedge",
];
const MAC_APPS = ["Google Chrome", "Chromium", "Microsoft Edge"];
const WINDOWS_FILES = [
  ["Google", "Chrome", "Application", "chrome.exe"],
  ["Chromium", "Application", "chrome.exe"],
  ["Microsoft", "Edge", "Application", "msedge.exe"],
];

export interface FindBrowserOptions {
  environment: NodeJS.ProcessEnv;
  /** Programs inside these folders are not used. */
  roots: readonly string[];
  platform?: NodeJS.Platform;
}

/** Absolute path of the first browser found; undefined: there is none. */
export function findBrowser({
  environment,
  roots,
  platform = process.platform,
}: FindBrowserOptions): string | undefined {
  for (const name of NAMES[platform] ?? NAMES.linux ?? []) {
    const found = findProgram(name, environment, roots);
    if (found !== undefined) return found;
  }
  return usualPaths(environment, platform).find((place) => isProgram(place) && !belongsTo(place, roots));
}

/** Why this program cannot be used as the browser; undefined: it can. */
export function faultOfBrowser(program: string, roots: readonly string[]): string | undefined {
  if (!path.isAbsolute(program)) return "it is not an absolute path";
  if (!isProgram(program)) return "there is no such program";
  return belongsTo(program, roots) ? "it is inside the workspace" : undefined;
}

export function usualPaths(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[] {
  if (platform === "win32") {
    const folders = ["ProgramFiles", "ProgramFiles(x86)", "LOCALAPPDATA"].flatMap(
      (name) => environment[name] ?? [],
    );
    return WINDOWS_FILES.flatMap((file) => folders.map((folder) => path.win32.join(folder, ...file)));
  }
  if (platform === "darwin") {
    const folders = ["/Applications", ...(environment.HOME ? [`${environment.HOME}/Applications`] : [])];
    return MAC_APPS.flatMap((app) => folders.map((folder) => `${folder}/${app}.app/Contents/MacOS/${app}`));
  }
  return LINUX_PLACES;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
