/** A session of another agent that was found on this machine, and how it is read. */
import type { Assets } from "../../core/ports/system.ts";
import type { ForeignSession } from "../../core/sessions/import/foreign-session.ts";
import type { AgentProduct } from "../../shared/history/session-origin.ts";

export interface ReadProgress {
  signal?: AbortSignal;
  /** Called with the number of bytes of each piece of the session's files. */
  onRead?(bytes: number): void;
}

export interface FoundSession {
  product: AgentProduct;
  /** Its id in that product. */
  id: string;
  /** "": unknown until it is read. */
  title: string;
  /** The folder that it worked in, if that is known. */
  folder?: string;
  /** Of its files. */
  bytes: number;
  /** ISO 8601. */
  updatedAt: string;
  /** Reads all of it. Rejects with UnreadableSession. */
  read(progress: ReadProgress): Promise<ForeignSession>;
}

/** The sessions of a product, and what of it could not be listed. */
export interface FoundProduct {
  product: AgentProduct;
  /** The folders and files in which its sessions were looked for and that exist. */
  places: string[];
  sessions: FoundSession[];
  /** Files that were not read, and why. */
  problems: FindProblem[];
  /** Frees memory. No session can be read afterwards. */
  close?(): void;
}

export interface FindProblem {
  path: string;
  /** link: it leads elsewhere and was not followed. */
  code: "link" | "unreadable" | "too-large" | "unknown-version" | "without-newest";
}

/** The files of products are only read. `environment`: of the user, with the products' own variables. */
export interface FindOptions {
  environment: NodeJS.ProcessEnv;
  home: string;
  /** For databases. */
  assets: Assets;
  platform: NodeJS.Platform;
}
