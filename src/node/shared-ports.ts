/** The ports that all hosts on this machine share, because they need neither an editor nor a terminal. */
import { randomUUID } from "node:crypto";
import path from "node:path";
import { UnseenRules } from "../core/instructions/unseen-rules.ts";
import type { Host } from "../core/ports/host.ts";
import type { Log } from "../core/ports/system.ts";
import { createAssets } from "./assets.ts";
import { createBrowsers } from "./browser/browsers.ts";
import { systemClock } from "./clock.ts";
import { createDocuments } from "./documents/document-reader.ts";
import type { EncodingNames } from "./files/encoding-names.ts";
import { createGit } from "./git/repository.ts";
import { systemInfo } from "./machine.ts";
import { createWeb } from "./net/pages.ts";
import { createPrograms } from "./run-program.ts";
import { createSearch } from "./search/ripgrep-search.ts";

export interface SharedPortsOptions {
  /** The workspace's folders; read at each call, so that the list may change. */
  roots: string[];
  /** Folder of the WebAssembly files and grammars; the bundle that reads documents is in its parent folder. */
  assetsDir: string;
  /** Path of ripgrep; undefined: it is searched for. */
  rgPath: string | undefined;
  environment: NodeJS.ProcessEnv;
  log: Log;
  /** What names the encoding of a file. */
  names: EncodingNames;
}

export type SharedPorts = Required<
  Pick<
    Host,
    | "assets"
    | "browser"
    | "clock"
    | "documents"
    | "git"
    | "log"
    | "newId"
    | "programs"
    | "search"
    | "system"
    | "unseen"
    | "web"
  >
>;

/** Creates the ports. Nothing is written or started before a port is used. */
export function sharedPorts(options: SharedPortsOptions): SharedPorts {
  const { roots, assetsDir, rgPath, environment, log, names } = options;
  const documents = createDocuments(path.dirname(assetsDir));
  return {
    assets: createAssets(assetsDir),
    browser: createBrowsers({ environment, roots, log }),
    clock: systemClock,
    documents,
    git: createGit(environment, () => roots, names),
    log,
    newId: () => randomUUID(),
    programs: createPrograms(environment, () => roots),
    search: createSearch({ roots, rgPath, near: [assetsDir], environment, names }),
    system: systemInfo(environment),
    unseen: new UnseenRules(),
    web: createWeb(documents),
  };
}
