/** What a project needs of its host to take over the settings of other agents. */
import type { SettingList, SettingProduct } from "../../shared/setting-proposals.ts";
import type { OwnSettingState } from "./propose.ts";

export interface SettingRequest {
  /** Default: all. */
  products?: readonly SettingProduct[];
  /** Masks the user's keys. */
  mask(text: string): string;
}

export interface ForeignSettings {
  /** Reads the files of other agents, which are never changed. */
  list(request: SettingRequest): Promise<SettingList>;
  /** Takes over one proposal if it is still exactly what was shown, by its `key` and `hash`; otherwise nothing is written. */
  take(shown: { key: string; hash: string }, request: SettingRequest): Promise<SettingList>;
  /** Removes what was taken over, unless the user changed it since. */
  undo(key: string, request: SettingRequest): Promise<SettingList>;
}

/** The user's own settings of this host. */
export interface OwnSettings {
  read(): Promise<
    Pick<OwnSettingState, "model" | "connections"> & {
      allow: string[];
      deny: string[];
      runsUnlisted: boolean;
    }
  >;
  /** The names of the settings, for the user. */
  readonly names: Readonly<Record<"allow" | "deny" | "model", string>>;
  setCommands(list: "allow" | "deny", entries: readonly string[]): Promise<void>;
  /** "": none. */
  setModel(name: string): Promise<void>;
}
