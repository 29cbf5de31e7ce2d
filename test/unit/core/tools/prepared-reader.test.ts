/** A command is judged sooner, because what it is read with is loaded while it arrives; for plain words nothing is. */
import { beforeEach, expect, it, vi } from "vitest";
import type { ShellKind } from "../../../../src/core/ports/shell.ts";
import type { Assets } from "../../../../src/core/ports/system.ts";
import { assets as own } from "../../../safety/judge.ts";

// A process loads each grammar once.
beforeEach(() => vi.resetModules());

/** The pieces of a command arrive; `names` are the files that have been loaded. */
async function arrived(shell: ShellKind, ...pieces: string[]) {
  const names: string[] = [];
  const assets: Assets = {
    read(name) {
      names.push(name);
      return own.read(name);
    },
  };
  const { prepareReader, loadReader } = await import("../../../../src/core/safety/shells/read.ts");
  for (const piece of pieces) prepareReader(assets, shell, piece);
  return { names, read: () => loadReader(assets, shell, pieces.join("")) };
}

it("loads nothing for plain words", async () => {
  for (const [shell, ...pieces] of [
    ["bash", "npm", " run bu", "ild -- --only=cli"],
    ["cmd", "dir & del x"],
  ] as const) {
    const { names, read } = await arrived(shell, ...pieces);
    await read();
    expect(names).toEqual([]);
  }
});

it.each([
  ["zsh", ["npm test", " && git", " status"], "bash"],
  ["bash", ["echo 'a"], "bash"],
  ["powershell", ["ls"], "powershell"],
] as const)(
  "loads the grammar of %s with the first piece of %j that is not plain",
  async (shell, pieces, name) => {
    const { names, read } = await arrived(shell, ...pieces);
    await expect.poll(() => names).toEqual(["tree-sitter.wasm", `tree-sitter-${name}.wasm`]);
    await read();
    expect(names).toHaveLength(2);
  },
);

it("loads it where only the whole tells that the words are not plain", async () => {
  const { names, read } = await arrived("bash", "export", " A=b");
  await read();
  expect(names).toEqual(["tree-sitter.wasm", "tree-sitter-bash.wasm"]);
});
