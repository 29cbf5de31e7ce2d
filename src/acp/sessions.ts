/** The sessions that an editor works on, by the ids that they are stored under. */
import { statSync } from "node:fs";
import path from "node:path";
import { messageOf } from "../core/errors.ts";
import { type AcpParts, missingSetup } from "./acp-parts.ts";
import { EditorSession } from "./editor-session.ts";
import { type ListedPage, listSessions } from "./project/listed-sessions.ts";
import { openEditorProject } from "./project/open-editor-project.ts";
import { definitionsOf, type PassedServer } from "./project/session-servers.ts";
import type { EditorClient } from "./reports.ts";

export interface SessionLocation {
  cwd: string;
  servers: readonly PassedServer[];
}

/** Why a request about a session is refused, with a sentence for the user. */
export class SessionRefusal extends Error {
  override name = "SessionRefusal";

  constructor(
    readonly code: "unknown-session" | "elsewhere" | "bad-place" | "no-setup",
    message: string,
  ) {
    super(message);
  }
}

export class EditorSessions {
  readonly #parts: AcpParts;
  readonly #editor: EditorClient;
  readonly #open = new Map<string, EditorSession>();
  /** Sessions that are being opened: a second request for one waits for the first. */
  readonly #opening = new Map<string, Promise<EditorSession>>();
  #closed = false;

  constructor(parts: AcpParts, editor: EditorClient) {
    this.#parts = parts;
    this.#editor = editor;
  }

  get(id: string): EditorSession {
    const session = this.#open.get(id);
    if (!session)
      throw new SessionRefusal("unknown-session", `session ${id} is not open; load it with session/load`);
    return session;
  }

  async create(location: SessionLocation): Promise<EditorSession> {
    this.#expectSetup();
    const session = await this.#begin(location);
    const { agent, mode } = this.#parts;
    const choice = agent ?? mode;
    const problem = choice === undefined ? undefined : await session.choices.set("mode", choice);
    if (problem !== undefined) {
      await session.close();
      throw new SessionRefusal("no-setup", problem);
    }
    return this.#register(session);
  }

  /** Opens a stored session, or continues with one that is open already. */
  async load(id: string, location: SessionLocation, withHistory: boolean): Promise<EditorSession> {
    this.#expectSetup();
    const opening = this.#opening.get(id);
    const known = this.#open.get(id) ?? (await opening?.catch(() => undefined));
    if (known) {
      if (withHistory) await known.replay();
      return known;
    }
    const load = this.#load(id, location, withHistory);
    this.#opening.set(id, load);
    try {
      return await load;
    } finally {
      this.#opening.delete(id);
    }
  }

  async #load(id: string, location: SessionLocation, withHistory: boolean): Promise<EditorSession> {
    const session = await this.#begin(location, id);
    try {
      const { elsewhere } = await session.open(id, { withHistory }).catch(async (error: unknown) => {
        throw new SessionRefusal("unknown-session", (await session.otherPlace(id)) ?? messageOf(error));
      });
      if (!elsewhere) return this.#register(session);
      const { t } = this.#parts;
      const words = t("Session {0} is open in another window or terminal.", id);
      throw new SessionRefusal(
        "elsewhere",
        `${words} ${t("Close it there, or start nekode acp with --take-over.")}`,
      );
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  async #begin({ cwd, servers }: SessionLocation, id?: string): Promise<EditorSession> {
    const root = folderAt(cwd);
    const definitions = definitionsIn(servers, root);
    const editorProject = await openEditorProject(this.#parts, { cwd: root, servers: definitions });
    const parts = this.#parts;
    const session = new EditorSession({
      id: id ?? editorProject.view.active.id,
      cwd: root,
      editorProject,
      parts,
      editor: this.#editor,
    });
    await session.choices.listAgents();
    return session;
  }

  async #register(session: EditorSession): Promise<EditorSession> {
    if (this.#closed) {
      await session.close();
      throw new SessionRefusal("unknown-session", "the connection to the editor is closed");
    }
    this.#open.set(session.id, session);
    return session;
  }

  /** `cwd` undefined: the sessions of all projects. */
  list(cwd: string | undefined, offset: number): Promise<ListedPage> {
    return listSessions(this.#parts, cwd === undefined ? undefined : folderAt(cwd), offset);
  }

  async close(id: string): Promise<void> {
    const session = this.get(id);
    this.#open.delete(id);
    await session.close();
  }

  /** Ends all work, because the editor closed the connection. One session that cannot be closed does not affect the others. */
  async closeAll(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#opening.values());
    const all = [...this.#open.values()];
    this.#open.clear();
    const results = await Promise.allSettled(all.map((session) => session.close()));
    for (const result of results)
      if (result.status === "rejected") this.#parts.log.error("a session was not closed", result.reason);
  }

  #expectSetup(): void {
    const missing = missingSetup(this.#parts);
    if (missing !== undefined) throw new SessionRefusal("no-setup", missing);
  }
}

function folderAt(cwd: string): string {
  if (!path.isAbsolute(cwd))
    throw new SessionRefusal("bad-place", `cwd must be an absolute path, not ${JSON.stringify(cwd)}`);
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory())
    throw new SessionRefusal("bad-place", `cwd is not a folder: ${cwd}`);
  return path.resolve(cwd);
}

function definitionsIn(servers: readonly PassedServer[], root: string): ReturnType<typeof definitionsOf> {
  try {
    return definitionsOf(servers, root);
  } catch (error) {
    throw new SessionRefusal("bad-place", messageOf(error));
  }
}
