/** The package of the terminal host as a file that the user downloaded. */
import path from "node:path";

/** What a terminal runs to install it. */
interface Installation {
  /** The file's folder. */
  cwd: string;
  /** The same in every shell: it contains nothing that a shell would read as anything but words. */
  command: string;
}

/** undefined: the file's name is not that of such a package. */
export function installationOf(file: string): Installation | undefined {
  const name = path.basename(file);
  if (!/^nekode-cli-\d+\.\d+\.\d+[\w.-]*\.tgz$/.test(name)) return undefined;
  return { cwd: path.dirname(file), command: `npm install -g ./${name}` };
}
