/** A process that died in the middle of writing a file. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { endedProcess } from "../../../support/processes.ts";
import { write } from "../../node/git-support.ts";
import { neglectedProcess, temporaryFolder } from "../../node/support.ts";
import { kept } from "./support.ts";

it("leaves nothing beside it once its session is opened again", async () => {
  const root = await temporaryFolder();
  write(root, { "a.txt": "a" });
  const k = await kept(root);
  k.checkpoints.mark("message");
  // It begins, and never ends.
  await k.checkpoints.begin({ callId: "edit", paths: [path.join(root, "a.txt")], anything: false });
  const dead = endedProcess();
  const zombie = await neglectedProcess();
  await zombie.kill();
  const uuid = "12345678-1234-4234-8234-123456789abc";
  const living = `.nekode-${process.ppid}-${uuid}.tmp`;
  write(root, {
    [`.nekode-${dead}-${uuid}.tmp`]: "half",
    [`.nekode-${zombie.pid}-${uuid}.tmp`]: "half",
    [living]: "half",
    ".nekode-mine.tmp": "the user's",
  });
  await k.restart();
  expect(readdirSync(root).sort()).toEqual([living, ".nekode-mine.tmp", "a.txt"].sort());
});
