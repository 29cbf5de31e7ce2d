/** The store for what was learned about models. */
import path from "node:path";
import type { Storage } from "../core/ports/storage.ts";
import type { Clock, Log } from "../core/ports/system.ts";
import { LearnedModels } from "../core/provider/learned-models.ts";
import { createStorage } from "./store/folder-storage.ts";

/** In the data folder. */
const FOLDER = "models";

/** What the hosts of this machine know about models and their costs. */
export function modelsStorage(dataDir: string): Storage {
  return createStorage(path.join(dataDir, FOLDER));
}

/** `dataDir`: the data folder that the hosts of this machine share. Never rejects. */
export async function openLearnedModels(dataDir: string, clock: Clock, log: Log): Promise<LearnedModels> {
  const learned = new LearnedModels(modelsStorage(dataDir), clock, log);
  await learned.load();
  return learned;
}
