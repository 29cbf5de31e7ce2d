/** The shells that commands are tried in: those that are here. A test of its own names them, and what is missing. */
import { accessSync, constants, realpathSync } from "node:fs";
import path from "node:path";
import { shellKind } from "../../src/node/shell/shell-program.ts";

export interface TestShell {
  name: string;
  path: string;
}

const wanted = ["bash", "zsh", "fish", "sh", "pwsh"];
const folders = ["/bin", "/usr/bin", "/usr/local/bin", ...(process.env.PATH ?? "").split(path.delimiter)];

/** Where the machine keeps a program, in `inside` or wherever programs are. */
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

export const shells: TestShell[] = wanted.flatMap((name) => {
  const file = programFile(name);
  return file === undefined || shellKind(file) === undefined ? [] : [{ name, path: file }];
});

export const posixShells = shells.filter(({ name }) => name !== "pwsh");

/** As in "4 shells (bash, zsh, fish, sh: dash; not here: pwsh)". */
export const shellsHere = (() => {
  const names = shells.map(({ name, path: file }) => {
    const real = path.basename(realpathSync(file));
    return real.startsWith(name) ? name : `${name}: ${real}`;
  });
  const missing = wanted.filter((name) => !shells.some((shell) => shell.name === name));
  const not = missing.length === 0 ? "" : `; not here: ${missing.join(", ")}`;
  return `${shells.length} shells (${names.join(", ")}${not})`;
})();
