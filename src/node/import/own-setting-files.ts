/** Writes to the user's own settings what is taken over from other agents, and removes it again if the user did not change it since. */
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import type { OwnSettings } from "../../core/foreign-settings/foreign-settings.ts";
import type { OwnFolder, OwnSettingState, SettingWrite } from "../../core/foreign-settings/propose.ts";
import { globalRulesFolder } from "../../core/instruction-kinds.ts";
import { serverText } from "../../core/servers/config/config-edit.ts";
import { USER_FILE } from "../../core/servers/config/config-files.ts";
import { unreachable } from "../../shared/unreachable.ts";
import { UserServersFile } from "../config/config-writer.ts";
import { createSynced, syncFolder } from "../files/atomic-write.ts";
import { nodeFiles } from "../files/disk-files.ts";
import { codeOf } from "../files/fs-errors.ts";

export interface OwnSettingPlaces {
  home: string;
  configDir: string;
  own: OwnSettings;
}

export class OwnSettingFiles {
  readonly #own: OwnSettings;
  readonly #serversFile: string;
  readonly #servers: UserServersFile;
  readonly #folders: Readonly<Record<OwnFolder, string>>;

  constructor({ home, configDir, own }: OwnSettingPlaces) {
    this.#own = own;
    this.#serversFile = path.join(configDir, USER_FILE);
    this.#servers = new UserServersFile(this.#serversFile);
    this.#folders = { agents: path.join(home, ".nekode", "agents"), rules: globalRulesFolder(home) };
  }

  async state(shownPath: (file: string) => string): Promise<OwnSettingState> {
    const { names } = this.#own;
    const { model, connections, ...commands } = await this.#own.read();
    return {
      model,
      connections,
      commands: { ...commands, platform: process.platform },
      places: {
        ...names,
        servers: shownPath(this.#serversFile),
        agents: shownPath(this.#folders.agents),
        rules: shownPath(this.#folders.rules),
      },
      serverNamed: async (name) => {
        const servers = await textOf(this.#serversFile);
        return servers === undefined ? undefined : serverText(servers, name);
      },
      textOf: (folder, name) => textOf(path.join(this.#folders[folder], name)),
    };
  }

  /** False: something else is there now, and nothing was written. */
  async write(write: SettingWrite): Promise<boolean> {
    switch (write.type) {
      case "server":
        return this.#servers.add(write.name, write);
      case "file":
        return this.#create(path.join(this.#folders[write.folder], write.name), write.text);
      case "command": {
        const { [write.list]: entries } = await this.#own.read();
        if (!entries.includes(write.entry))
          await this.#own.setCommands(write.list, [...entries, write.entry]);
        return true;
      }
      case "model":
        await this.#own.setModel(write.name);
        return true;
      default:
        return unreachable(write);
    }
  }

  /** `before`: what the proposal showed. False: the user changed it since, so it stays. */
  async remove(write: SettingWrite, before: string): Promise<boolean> {
    switch (write.type) {
      case "server": {
        const text = await textOf(this.#serversFile);
        const current = text === undefined ? undefined : serverText(text, write.name);
        if (current === undefined) return true;
        if (current !== JSON.stringify(write.entry)) return false;
        const ids = write.inputs.map(({ id }) => String(id));
        return this.#servers.remove(write.name, ids);
      }
      case "file": {
        const file = path.join(this.#folders[write.folder], write.name);
        const current = await textOf(file);
        if (current === undefined) return true;
        if (current !== write.text) return false;
        await rm(file);
        return true;
      }
      case "command": {
        const { [write.list]: entries } = await this.#own.read();
        const others = entries.filter((entry) => entry !== write.entry);
        if (others.length < entries.length) await this.#own.setCommands(write.list, others);
        return true;
      }
      case "model": {
        if ((await this.#own.read()).model !== write.name) return false;
        await this.#own.setModel(before);
        return true;
      }
      default:
        return unreachable(write);
    }
  }

  async #create(file: string, text: string): Promise<boolean> {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    try {
      await createSynced(file, new TextEncoder().encode(text), { mode: 0o600 });
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
      return false;
    }
    await syncFolder(path.dirname(file));
    return true;
  }
}

async function textOf(file: string): Promise<string | undefined> {
  return (await nodeFiles.stat(file)) ? (await nodeFiles.readText(file)).text : undefined;
}
