/**
 * A process that restores the session's files to the message and says on standard output when each is put. Arguments:
 * the project's folder, the folder of the checkpoints.
 */
import { writeSync } from "node:fs";
import { Checkpoints } from "../../../../src/core/checkpoints/checkpoints.ts";
import { systemClock } from "../../../../src/node/clock.ts";
import { nodeFileStates } from "../../../../src/node/files/disk-file-states.ts";
import { createStorage } from "../../../../src/node/store/folder-storage.ts";

const [, dataDir = ""] = process.argv.slice(2);

async function work(): Promise<void> {
  const project = new Checkpoints({
    storage: createStorage(dataDir),
    files: {
      ...nodeFileStates,
      async put(...args) {
        await nodeFileStates.put(...args);
        writeSync(1, `${args[0]}\n`);
      },
    },
    clock: systemClock,
    log: { info: () => {}, error: (text) => void writeSync(2, `${text}\n`) },
    settings: () => ({ enabled: true, maxSize: 100 }),
    newId: () => "killed",
  });
  const checkpoints = project.session("session");
  await checkpoints.open();
  await checkpoints.restore(await checkpoints.plan("message"));
}

void work();
