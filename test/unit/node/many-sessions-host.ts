/**
 * A process with several tasks that work at once on a real disk: prints each message's session and id once it is announced, and
 * works until it is killed. Arguments: project folder, folder of sessions, WebAssembly folder, the model's address, number of tasks.
 */
import { writeSync } from "node:fs";
import { openTasks } from "./many-sessions.ts";

const [root = "", dataDir = "", wasm = "", baseUrl = "", count = ""] = process.argv.slice(2);

async function work(): Promise<void> {
  const log = { info: () => {}, error: (text: string) => void writeSync(2, `${text}\n`) };
  const { project } = await openTasks({ root, dataDir, wasm, baseUrl, log });
  project.onEvent((event) => {
    if (event.type === "message") writeSync(1, `${event.session} ${event.message.id}\n`);
  });
  const views = Array.from({ length: Number(count) }, (_, index) =>
    index === 0 ? project.view : project.newView(),
  );
  await Promise.all(views.map((view, index) => view.send(`Work hard on part ${index}.`)));
}

void work();
