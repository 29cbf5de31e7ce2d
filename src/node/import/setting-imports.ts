/** Lists the settings of other agents as proposals, takes over one at a time, and undoes that. */
import path from "node:path";
import { SerialQueue } from "../../core/async.ts";
import type {
  ForeignSettings,
  OwnSettings,
  SettingRequest,
} from "../../core/foreign-settings/foreign-settings.ts";
import { type PreparedProposal, propose } from "../../core/foreign-settings/propose.ts";
import { TakenSettings } from "../../core/foreign-settings/taken-settings.ts";
import type { Log } from "../../core/ports/system.ts";
import type { Workspace } from "../../core/ports/workspace.ts";
import { isInside } from "../../core/roots.ts";
import {
  type SettingList,
  type SettingOutcome,
  type SettingProposal,
  settingProductSchema,
} from "../../shared/setting-proposals.ts";
import { createStorage } from "../store/folder-storage.ts";
import { findSettings } from "./find-settings.ts";
import { OwnSettingFiles } from "./own-setting-files.ts";

/** The folder of what was taken over, in the data folder. */
const IMPORTS_FOLDER = "imports";

export interface SettingImportsParts {
  workspace: Pick<Workspace, "root" | "trusted">;
  log: Log;
  environment: NodeJS.ProcessEnv;
  home: string;
  /** The folder of the user's configuration. */
  configDir: string;
  dataDir: string;
  own: OwnSettings;
}

export function createForeignSettings(parts: SettingImportsParts): ForeignSettings {
  const { workspace, log, environment, home, configDir, dataDir, own } = parts;
  const files = new OwnSettingFiles({ home, configDir, own });
  const taken = new TakenSettings(createStorage(path.join(dataDir, IMPORTS_FOLDER)), log);
  const queue = new SerialQueue();
  const shownPath = (file: string) =>
    isInside(home, file) ? `~/${path.relative(home, file).split(path.sep).join("/")}` : file;

  const read = async ({ products = settingProductSchema.options, mask }: SettingRequest) => {
    const projectRoot = workspace.trusted ? workspace.root : undefined;
    const places = { environment, home, platform: process.platform, projectRoot };
    const found = await findSettings(products, places);
    const { proposals, left } = await propose(found.files, await files.state(shownPath), { mask, shownPath });
    const done = (await taken.all()).filter(({ proposal }) => products.includes(proposal.product));
    const problems = found.problems.map(({ code, path: file }) => ({ code, path: mask(shownPath(file)) }));
    return { proposals, left, done, problems };
  };
  const listed = async (request: SettingRequest, outcome?: SettingOutcome): Promise<SettingList> => {
    const { proposals, left, done, problems } = await read(request);
    const isDone = (of: Pick<SettingProposal, "product" | "file" | "name">) =>
      done.some(
        ({ proposal }) =>
          proposal.product === of.product && proposal.file === of.file && proposal.name === of.name,
      );
    return {
      proposals: [
        ...done.map(({ proposal }) => proposal),
        ...proposals.filter(({ key }) => !done.some(({ proposal }) => proposal.key === key)).map(shownPart),
      ],
      left: left.filter((each) => each.why.code !== "present" || !isDone(each)),
      problems,
      ...(outcome === undefined ? {} : { outcome }),
    };
  };
  return {
    list: (request) => listed(request),
    take: (shown, request) =>
      queue.run(async () => {
        // Read again: exactly what the user saw is written, or nothing.
        const { proposals } = await read(request);
        const wanted = proposals.find(({ key, hash }) => key === shown.key && hash === shown.hash);
        if (!wanted || !(await files.write(wanted.write))) return listed(request, "changed");
        await taken.add(shownPart(wanted), wanted.write);
        return listed(request, "taken");
      }),
    undo: (key, request) =>
      queue.run(async () => {
        const one = (await taken.all()).find(({ proposal }) => proposal.key === key);
        const isRemoved = one !== undefined && (await files.remove(one.write, one.proposal.before));
        await taken.remove(key);
        return listed(request, isRemoved ? "undone" : "changed");
      }),
  };
}

function shownPart({ write: _, ...proposal }: PreparedProposal): SettingProposal {
  return proposal;
}
