import { existsSync } from "node:fs";
import * as path from "node:path";

/** The ripgrep that ships with the editor; undefined: the editor stores it elsewhere. */
export function editorRipgrep(appRoot: string): string | undefined {
  const name = process.platform === "win32" ? "rg.exe" : "rg";
  const folders = ["node_modules", "node_modules.asar.unpacked"].flatMap((modules) =>
    ["ripgrep", `ripgrep-${process.platform}-${process.arch}`, "ripgrep-universal"].map((name) =>
      path.join(appRoot, modules, "@vscode", name, "bin"),
    ),
  );
  return [
    ...folders.map((folder) => path.join(folder, name)),
    ...folders.map((folder) => path.join(folder, `${process.platform}-${process.arch}`, name)),
  ].find((file) => existsSync(file));
}
