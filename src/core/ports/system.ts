/** The machine: what it is, its clock, its log, and the files that ship with the product. */
import type { Disposable } from "../lifecycle.ts";

export interface SystemInfo {
  os: string;
  platform: "linux" | "darwin" | "win32";
  home: string;
  /** IANA time zone name. */
  timeZone: string;
  /** The time zone is the one of the runtime's own dates. */
  isLocalZone?: boolean;
  locale: string;
}

export interface Clock {
  now(): Date;
  /** Calls `run` once after `ms`. Disposing cancels the call. */
  after(ms: number, run: () => void): Disposable;
}

export interface Log {
  info(text: string): void;
  error(text: string, cause?: unknown): void;
}

/** Files that ship with the product, such as grammars. */
export interface Assets {
  read(name: string): Promise<Uint8Array>;
}
