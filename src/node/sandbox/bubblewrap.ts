/**
 * The rules as arguments of bubblewrap (https://github.com/containers/bubblewrap, bwrap(1), version 0.3 and later), which runs a
 * command in namespaces of its own.
 */
import { statSync } from "node:fs";
import path from "node:path";
import { isInside } from "../../core/roots.ts";
import { type Enclosure, FIRST_INPUT, type FileRules } from "./file-rules.ts";
import { systemCallFilter } from "./system-calls.ts";

/** Folders of temporary files, of sockets and of devices, by which a command could reach programs outside. */
const REPLACED = ["/tmp", "/run", "/dev"];

/** An empty file and an empty folder that nobody may read. */
export interface Nothing {
  file: string;
  folder: string;
}

export function bubblewrapEnclosure(program: string, rules: FileRules, nothing: Nothing): Enclosure {
  const filter = systemCallFilter();
  const list = [
    ...bubblewrapArguments(rules, nothing),
    ...(filter ? ["--seccomp", String(FIRST_INPUT + 1)] : []),
  ];
  // A list of many files does not fit into one argument.
  const input = list.map((argument) => `${argument}\0`).join("");
  const flags = ["--args", String(FIRST_INPUT), "--"];
  return { program, flags, inputs: [input, ...(filter ? [filter] : [])] };
}

/** Later arguments cover what earlier ones made visible. */
export function bubblewrapArguments(rules: FileRules, nothing: Nothing): string[] {
  const { profile, network = false, hidden, folders, fixed, programs, temporary } = rules;
  const isReplaced = (file: string) => REPLACED.some((folder) => isInside(folder, file));
  const shown = (file: string) => [...folders, ...programs].some((folder) => isInside(folder, file));
  const cover = (file: string) => {
    const stats = isReplaced(file) && !shown(file) ? undefined : statSync(file, { throwIfNoEntry: false });
    return stats ? ["--ro-bind", stats.isDirectory() ? nothing.folder : nothing.file, file] : [];
  };
  const inFolders = (file: string) => folders.some((folder) => isInside(folder, file));
  return [
    ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    ...(network ? [] : ["--unshare-net"]),
    ...["--die-with-parent", "--cap-drop", "ALL"],
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    ...["--tmpfs", "/run", "--bind", temporary, "/tmp"],
    ...(network ? resolverArguments() : []),
    ...programs.flatMap((folder) => ["--ro-bind", folder, folder]),
    ...hidden.filter((file) => !inFolders(file)).flatMap(cover),
    ...folders.flatMap((folder) => [profile === "work" ? "--bind" : "--ro-bind", folder, folder]),
    ...(profile === "work" ? fixed.flatMap((file) => ["--ro-bind-try", file, file]) : []),
    ...hidden.filter(inFolders).flatMap(cover),
  ];
}

/** The configuration of the name resolver, which is often a link into /run. */
function resolverArguments(): string[] {
  return ["/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager/resolv.conf"].flatMap((file) => [
    "--ro-bind-try",
    file,
    file,
  ]);
}

/** The version that `bwrap --version` prints. */
export const bubblewrapVersion = (output: string): string => /\d+(?:\.\d+)+/.exec(output)?.[0] ?? "";

/** Folders of PATH in which commands find their programs although they are in a folder of temporary files. */
export function programFolders(searchPath: string, roots: readonly string[]): string[] {
  return searchPath
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder) && REPLACED.some((each) => isInside(each, folder)))
    .filter((folder) => !roots.some((root) => isInside(root, folder)));
}
