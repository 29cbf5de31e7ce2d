/** The way back on a terminal in Japanese. `restore-commands.test.ts` proves it in English. */
import { expect, it } from "vitest";
import { APPROVE, env, onDisk, placeOfEachTest, project } from "./restore-commands-place.ts";

placeOfEachTest();

it("speaks Japanese", async () => {
  const { stdout } = await project.converse(APPROVE, { ...env, LANG: "ja_JP.UTF-8" }, [
    ["> ", "/help\r"],
    ["最後の変更、または最後の復元を元に戻す", "change some files\r"],
    ["First done.", ""],
    ["> ", "/undo\r"],
    ["この変更を元に戻しますか?", "はい\r"],
    ["復元したファイル: 2 個", "/exit\r"],
  ]);
  expect(stdout).not.toContain("Undo");
  expect(await onDisk()).toEqual(["猫\n", "b\n", "made\n"]);
});
