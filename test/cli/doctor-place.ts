/** What `doctor.test.ts` and `doctor.long.test.ts` begin with. */
import path from "node:path";
import { afterEach, beforeEach } from "vitest";
import { type Fault, PlayedModel } from "../unit/core/provider/check/played-model.ts";
import { Project } from "./support.ts";

/** What the check times would tell of this machine, not of the model that is played. */
export const STILL = {
  NODE_OPTIONS: `--require=${path.join(import.meta.dirname, "../fixtures/still-clock.cjs")}`,
};

export let project: Project;
export let played: PlayedModel | undefined;

export async function play(fault: Fault): Promise<string> {
  played = await new PlayedModel(fault).start();
  return played.url;
}

/** To be called once in a file of tests. */
export function placeOfEachTest(): void {
  beforeEach(async () => {
    project = await Project.create({});
  });
  afterEach(async () => {
    played?.close();
    await project.remove();
  });
}
