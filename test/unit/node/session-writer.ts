/**
 * A process that works on a project's sessions: appends messages, says each one's number on standard output once it is
 * acknowledged, and goes on until it is done or killed. Arguments: folder, WebAssembly folder, session, count, seed, bytes
 * of a database from which on messages are packed, and after how many files beside it the process kills itself (0: never).
 */
import { writeSync } from "node:fs";
import type { Storage } from "../../../src/core/ports/storage.ts";
import { openSessionStore } from "../../../src/core/sessions/store.ts";
import { createAssets } from "../../../src/node/assets.ts";
import { systemClock } from "../../../src/node/clock.ts";
import { createStorage } from "../../../src/node/store/folder-storage.ts";
import { generator } from "../../support/random.ts";
import { messageOf } from "./session-content.ts";

const [folder = "", wasm = "", session = "", count = "", seed = "", packAbove = "", dieAfter = ""] =
  process.argv.slice(2);

/** A storage whose process dies right after it wrote so many payloads and packs, before anything names the last one. */
function dying(storage: Storage, files: number): Storage {
  let left = files;
  return {
    ...storage,
    async replace(name, bytes) {
      await storage.replace(name, bytes);
      if (name.startsWith("payloads/") && --left === 0) process.kill(process.pid, "SIGKILL");
    },
  };
}

async function work(): Promise<void> {
  const log = { info: () => {}, error: (text: string) => void writeSync(2, `${text}\n`) };
  const storage = dying(createStorage(folder), Number(dieAfter));
  const options = { packAbove: Number(packAbove) };
  const store = await openSessionStore(storage, createAssets(wasm), systemClock, log, options);
  const next = generator(Number(seed));
  if (!(await store.load(session))) {
    const startedAt = new Date().toISOString();
    await store.create({
      id: session,
      projectPath: "/p",
      model: "m",
      title: session,
      mode: "act",
      startedAt,
    });
  }
  for (let index = 0; index < Number(count); index++) {
    await store.append(session, messageOf(session, index));
    writeSync(1, `${index}\n`);
    const dice = next();
    if (dice < 0.1) await store.markCall(session, `call-${index}`, "started");
    else if (dice < 0.2) await store.update(session, { todo: `- [ ] ${index}` });
    else if (dice < 0.25) await store.checkpoint();
    else if (dice < 0.27) await store.list();
  }
  await store.close();
}

void work();
