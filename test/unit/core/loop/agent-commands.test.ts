/** Which commands an agent may run that names the beginnings of some. The judge and the repository are real. */
import { writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { Judge } from "../../../../src/core/loop/calls/permission.ts";
import { NO_PERMISSION, settingsWith } from "../../../../src/shared/permission/session-permission.ts";
import { settingsSchema } from "../../../../src/shared/settings.ts";
import { project } from "../../../support/tools-on-disk.ts";

it("each part has to begin as one of them says, and nothing is written, assigned or substituted", async () => {
  const { host, at } = await project();
  await writeFile(at(".env"), "KEY=1\n");
  await writeFile(at("a.txt"), "a\n");
  const judge = new Judge(host, () => settingsWith(settingsSchema.parse({}), NO_PERMISSION));
  const covered = (command: string) => judge.covers(command, ["git status", "git diff", "npm test"]);
  for (const command of ["git status", "git diff -- a.txt", "git status && git diff", "npm test"])
    expect(await covered(command), command).toBe(true);
  for (const command of [
    "git push",
    "git status; git push",
    "git diff | tee x",
    "git diff > x",
    "git diff --output=x",
    "git -c core.pager=evil diff",
    "GIT_PAGER=evil git diff",
    "git diff $(touch x)",
    "cat .env",
    "cat a.txt",
    "npm run test",
    "sh -c 'git status'",
    "",
  ])
    expect(await covered(command), command).toBe(false);
});
