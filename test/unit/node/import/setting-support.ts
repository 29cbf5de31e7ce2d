/** A home folder with settings of other agents, and the user's own settings, which are in memory except for what is in files. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach } from "vitest";
import type { ForeignSettings, OwnSettings } from "../../../../src/core/foreign-settings/foreign-settings.ts";
import { createForeignSettings } from "../../../../src/node/import/setting-imports.ts";
import type {
  SettingList,
  SettingProduct,
  SettingProposal,
} from "../../../../src/shared/setting-proposals.ts";
import { quietLog } from "../../core/sessions/support.ts";

export const USER = ".config/Code/User";
/** Has the form of a key, and is none. */
export const KEY = `sk-ant-${"n3k0".repeat(8)}`;

type OwnState = Awaited<ReturnType<OwnSettings["read"]>>;

export class SettingsHome {
  home = "";
  state: OwnState = { allow: [], deny: [], runsUnlisted: false, model: "", connections: [] };
  environment: NodeJS.ProcessEnv = {};
  trusted = true;

  at(...names: string[]): string {
    return path.join(this.home, ...names);
  }

  /** Objects are written as JSON. */
  async put(name: string, content: unknown): Promise<void> {
    const file = this.at(name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
  }

  get settings(): ForeignSettings {
    const { state } = this;
    return createForeignSettings({
      workspace: { root: this.at("app"), trusted: this.trusted },
      log: quietLog,
      environment: this.environment,
      home: this.home,
      configDir: this.at("own"),
      dataDir: this.at("data"),
      own: {
        names: { allow: "commands.allow", deny: "commands.deny", model: "model" },
        read: async () => ({ ...state, allow: [...state.allow], deny: [...state.deny] }),
        async setCommands(list, entries) {
          state[list] = [...entries];
        },
        async setModel(name) {
          state.model = name;
        },
      },
    });
  }

  list(...products: SettingProduct[]): Promise<SettingList> {
    return this.settings.list({ mask, ...(products.length === 0 ? {} : { products }) });
  }

  /** The proposal of this name, as it is now. */
  async proposal(name: string): Promise<SettingProposal> {
    const { proposals } = await this.list();
    const found = proposals.find((each) => each.name === name);
    if (!found) throw new Error(`no proposal ${name} among ${proposals.map((each) => each.name).join(", ")}`);
    return found;
  }

  take(proposal: Pick<SettingProposal, "key" | "hash">): Promise<SettingList> {
    return this.settings.take(proposal, { mask });
  }

  undo({ key }: Pick<SettingProposal, "key">): Promise<SettingList> {
    return this.settings.undo(key, { mask });
  }
}

const mask = (text: string) => text.replaceAll("own-key-of-the-user", "***");

/** A home folder for each test. */
export function settingsHome(): SettingsHome {
  const place = new SettingsHome();
  beforeEach(async () => {
    place.home = await mkdtemp(path.join(os.tmpdir(), "nekode-settings-"));
    place.state = { allow: [], deny: [], runsUnlisted: false, model: "", connections: [] };
    place.environment = {};
    place.trusted = true;
    await mkdir(place.at("app"), { recursive: true });
  });
  afterEach(() => rm(place.home, { recursive: true, force: true }));
  return place;
}

/** `name: reason` of what is left out. */
export const leftIn = ({ left }: SettingList) => left.map(({ name, why }) => `${name}: ${why.code}`);
/** `kind name: what would be there`. */
export const proposedIn = ({ proposals }: SettingList) =>
  proposals.map(({ kind, name, after }) => `${kind} ${name} => ${after}`);
