/** The stored sessions of a folder, or of all projects, page by page. */
import path from "node:path";
import { openProject } from "../../node/open-project.ts";
import { openTerminalHost } from "../../node/terminal-host.ts";
import { historyQuerySchema } from "../../shared/history/history-protocol.ts";
import type { AcpParts } from "../acp-parts.ts";

/** Sessions on one page. */
const PAGE_SIZE = 50;

export interface ListedSession {
  id: string;
  cwd: string;
  title: string;
  /** ISO 8601. */
  updatedAt: string;
}

export interface ListedPage {
  sessions: ListedSession[];
  /** The offset of the next page; undefined: this is the last one. */
  next: number | undefined;
}

/** `cwd` undefined: the sessions of all projects. Changes nothing on disk. */
export async function listSessions(
  parts: AcpParts,
  cwd: string | undefined,
  offset: number,
): Promise<ListedPage> {
  const { dataDir, environment, log, programDir } = parts;
  const root = cwd ?? parts.cwd;
  const host = await openTerminalHost({
    root,
    assetsDir: path.join(programDir, "wasm"),
    environment,
    log,
  });
  const opened = await openProject({
    host,
    sessions: { root, onlyReads: true },
    dataDir,
    environment,
    settings: () => parts.settings,
    apiKey: async () => undefined,
  });
  try {
    const query = { allProjects: cwd === undefined, offset, limit: PAGE_SIZE };
    const { sessions, more } = await opened.project.library.find(historyQuerySchema.parse(query));
    return {
      sessions: sessions.flatMap(({ id, title, updatedAt, project: other }) => {
        const folder = other ? other.folder : root;
        // A project whose folder is not known cannot be opened.
        return folder === undefined ? [] : [{ id, cwd: folder, title, updatedAt }];
      }),
      next: more ? offset + PAGE_SIZE : undefined,
    };
  } finally {
    host.shell.dispose();
    await opened.close();
  }
}
