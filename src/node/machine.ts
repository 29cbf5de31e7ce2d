/** Information about the machine, gathered without starting programs. */
import { constants, readlinkSync } from "node:fs";
import { readdir } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { SystemInfo } from "../core/ports/system.ts";
import { systemHome } from "./config/config-dir.ts";
import { access } from "./files/direct-calls.ts";

const SYSTEMS: Record<string, string> = { Darwin: "macOS", Windows_NT: "Windows" };

export function systemInfo(environment: NodeJS.ProcessEnv): SystemInfo {
  // Of the runtime's classes that know the locale, this one loads no tables of all locales, which take 15 ms.
  const { locale } = new Intl.PluralRules().resolvedOptions();
  const timeZone = namedZone(environment) ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const name = SYSTEMS[os.type()] ?? os.type();
  const platform = process.platform === "win32" || process.platform === "darwin" ? process.platform : "linux";
  return {
    ...{ os: `${name} ${os.release()}`, platform, home: systemHome(environment) },
    ...{ timeZone, isLocalZone: true, locale },
  };
}

/** The time zone where the system names it, as the runtime reads it too; undefined: it does not, or by no plain name of a zone. */
function namedZone({ TZ = linkedZone() }: NodeJS.ProcessEnv): string | undefined {
  if (TZ === "Etc/UTC") return "UTC";
  return /^(?:UTC|[A-Z][A-Za-z]+(?:\/[A-Z][A-Za-z_-]+)+)$/.test(TZ) && !TZ.startsWith("Etc/")
    ? TZ
    : undefined;
}

/** "": the system has no link to its time zone, as Windows. */
function linkedZone(): string {
  try {
    return /\/zoneinfo\/(.+)$/.exec(readlinkSync("/etc/localtime"))?.[1] ?? "";
  } catch {
    return "";
  }
}

/** Command-line tools that are useful for the model to know about. */
const knownTools = [
  ..."git gh glab svn hg curl wget jq yq rg fd tree make cmake ninja gcc clang".split(" "),
  ..."node npm pnpm yarn bun deno tsc python python3 pip pip3 uv poetry conda".split(" "),
  ..."ruby bundle php composer perl java javac mvn gradle dotnet go cargo rustc".split(" "),
  ..."swift xcodebuild kotlinc scala sbt elixir mix lua R julia docker podman kubectl helm".split(" "),
  ..."terraform ansible aws gcloud az sqlite3 psql mysql redis-cli mongosh ffmpeg".split(" "),
  ..."brew apt apt-get dnf yum pacman choco winget scoop".split(" "),
];

/** Searches once, on the first call. */
export function cliToolFinder(environment: NodeJS.ProcessEnv): () => Promise<string[]> {
  let found: Promise<string[]> | undefined;
  return () => {
    found ??= findOnPath(knownTools, environment);
    return found;
  };
}

/** The `names` that are programs on PATH, in their order. */
export async function findOnPath(
  names: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<string[]> {
  const searched = new Set(names);
  const present = new Set<string>();
  await Promise.all(
    pathFolders(environment).map(async (folder) => {
      const entries = await readdir(folder).catch(() => []);
      for (const entry of entries) {
        const name = programName(entry, environment);
        if (name === undefined || !searched.has(name) || present.has(name)) continue;
        if (await isExecutable(path.join(folder, entry))) present.add(name);
      }
    }),
  );
  return names.filter((name) => present.has(name));
}

function pathFolders(environment: NodeJS.ProcessEnv): string[] {
  const value = environment.PATH ?? environment.Path ?? "";
  // A relative entry would make the result depend on the current folder.
  return [...new Set(value.split(path.delimiter))].filter((folder) => path.isAbsolute(folder));
}

function programName(entry: string, environment: NodeJS.ProcessEnv): string | undefined {
  if (process.platform !== "win32") return entry;
  const extension = path.extname(entry);
  const known = (environment.PATHEXT ?? ".EXE;.CMD;.BAT;.COM").toLowerCase().split(";");
  return known.includes(extension.toLowerCase())
    ? entry.slice(0, -extension.length).toLowerCase()
    : undefined;
}

export async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
