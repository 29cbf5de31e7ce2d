/** Where what was learned about models is kept. */
import path from "node:path";
import type { Clock, Log } from "../core/ports/system.ts";
import { LearnedModels } from "../core/provider/learned-models.ts";
import { createStorage } from "./store/folder-storage.ts";

/** In the data folder. */
const FOLDER = "models";

/** `dataDir`: the data folder that the hosts of this machine share. Never rejects. */
export async function openLearnedModels(dataDir: string, clock: Clock, log: Log): Promise<LearnedModels> {
  const learned = new LearnedModels(createStorage(path.join(dataDir, FOLDER)), clock, log);
  await learned.load();
  return learned;
}
