/**
 * A process that works on a project's sessions: appends messages, says each one's number on standard output once it is
 * acknowledged, and goes on until it is done or killed. Arguments: folder, WebAssembly folder, session, count, seed.
 */
import { writeSync } from "node:fs";
import { openSessionStore } from "../../../src/core/sessions/sessions.ts";
import { createAssets } from "../../../src/node/assets.ts";
import { systemClock } from "../../../src/node/clock.ts";
import { createStorage } from "../../../src/node/storage.ts";
import { messageOf, random } from "./session-content.ts";

const [folder = "", wasm = "", session = "", count = "", seed = ""] = process.argv.slice(2);

async function work(): Promise<void> {
  const log = { info: () => {}, error: (text: string) => void writeSync(2, `${text}\n`) };
  const store = await openSessionStore(createStorage(folder), createAssets(wasm), systemClock, log);
  const next = random(Number(seed));
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
