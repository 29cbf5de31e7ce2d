/** The hooks of a project on this machine, for all hosts. */
import path from "node:path";
import { sha256 } from "../../core/bytes.ts";
import { HookRecords } from "../../core/hooks/hook-records.ts";
import { ProjectHooks, type ProjectHooksDeps } from "../../core/hooks/project-hooks.ts";
import { nodeFiles } from "../files/disk-files.ts";
import { createStorage } from "../store/folder-storage.ts";

/** The folder of the approvals and of long outputs, in the data folder. */
export const HOOKS_FOLDER = "hooks";
const OUTPUTS = "outputs";

/** Reads nothing before it is used. `dataDir`: the data folder that the hosts of this machine share. */
export function createProjectHooks(
  { workspace, system, log, plugins, policy }: Omit<ProjectHooksDeps["host"], "files">,
  dataDir: string,
): ProjectHooks {
  const folder = path.join(dataDir, HOOKS_FOLDER);
  const storage = createStorage(folder);
  return new ProjectHooks({
    // Reads from the disk, because only saved content runs.
    host: { files: nodeFiles, workspace, system, log, policy, ...(plugins ? { plugins } : {}) },
    records: new HookRecords(storage, log),
    async keep(text) {
      const bytes = new TextEncoder().encode(text);
      const name = `${OUTPUTS}/${await sha256(bytes)}.txt`;
      await storage.replace(name, bytes);
      return path.join(folder, name);
    },
  });
}
