/** Folders of the sandbox's own, outside of every project. */
import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** Real paths without white space, which an engine's arguments cannot contain. */
export interface PrivateFolders {
  /** For the engine's own files. */
  own: string;
  /** For temporary files of commands; it is in `own`. */
  temporary: string;
}

export function makePrivateFolders(): PrivateFolders {
  const usual = realpathSync(tmpdir());
  const own = mkdtempSync(path.join(/\s/.test(usual) ? realpathSync("/tmp") : usual, "nekode-sandbox-"));
  const temporary = path.join(own, "tmp");
  mkdirSync(temporary, { mode: 0o700 });
  return { own, temporary };
}
