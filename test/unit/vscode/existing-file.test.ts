/** Which of the files that an answer names are in the workspace. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { existingFile, missingFiles } from "../../../src/vscode/files/existing-file.ts";
import { temporaryFolder } from "../node/support.ts";

describe("the files that a text names", () => {
  it("exist if they are inside the folders, also after their links", async () => {
    const base = await temporaryFolder();
    const root = path.join(base, "root");
    mkdirSync(path.join(root, "src"), { recursive: true });
    writeFileSync(path.join(root, "src", "cart.ts"), "");
    writeFileSync(path.join(base, "secret"), "");
    symlinkSync(path.join(base, "secret"), path.join(root, "out"));
    symlinkSync(path.join(root, "src"), path.join(root, "in"));
    symlinkSync(path.join(root, "nowhere"), path.join(root, "dangling"));
    const resolve = (name: string) => (name.startsWith("..") ? undefined : path.join(root, name));
    const names = ["src/cart.ts", "src", "in/cart.ts", "gone.ts", "out", "dangling", "../secret"];
    expect(await missingFiles(names, resolve, [root])).toEqual(["gone.ts", "out", "dangling", "../secret"]);
    expect(await missingFiles(names, resolve, [])).toEqual(names);
    expect(await existingFile(path.join(root, "in", "cart.ts"), [root])).toBe(
      path.join(root, "in", "cart.ts"),
    );
  });
});
