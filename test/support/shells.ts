/** The shells available for command tests. A test of its own lists them, and the missing ones. */
import { accessSync, constants, realpathSync } from "node:fs";
import path from "node:path";
import { shellKind } from "../../src/node/shell/shell-program.ts";

export interface TestShell {
  name: string;
  path: string;
}

const WANTED = ["bash", "zsh", "fish", "sh", "pwsh"];
const folders = ["/bin", "/usr/bin", "/usr/local/bin", ...(process.env.PATH ?? "").split(path.delimiter)];

/** The path of a program, in `inside` or in the usual folders. */
export function programFile(name: string, inside: readonly string[] = folders): string | undefined {
  return inside
    .map((folder) => path.join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

export const shells: TestShell[] = WANTED.flatMap((name) => {
  const file = programFile(name);
  return file === undefined || shellKind(file) === undefined ? [] : [{ name, path: file }];
});

export const posixShells = shells.filter(({ name }) => name !== "pwsh");

/** For example "4 shells (bash, zsh, fish, sh: dash; not here: pwsh)". */
export const shellsHere = (() => {
  const names = shells.map(({ name, path: file }) => {
    const real = path.basename(realpathSync(file));
    return real.startsWith(name) ? name : `${name}: ${real}`;
  });
  const missing = WANTED.filter((name) => !shells.some((shell) => shell.name === name));
  const not = missing.length === 0 ? "" : `; not here: ${missing.join(", ")}`;
  return `${shells.length} shells (${names.join(", ")}${not})`;
})();
