/**
 * The rules as arguments of bubblewrap (https://github.com/containers/bubblewrap, bwrap(1), version 0.3 and later), which runs a
 * command in namespaces of its own.
 */
import { chmodSync, existsSync, mkdirSync, realpathSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isInside } from "../../core/roots.ts";
import { findProgram, systemProgram } from "../find-programs.ts";
import { type CommandEnclosure, type Engine, FIRST_INPUT, type FileRules } from "./file-rules.ts";
import { holdPlaceholder, releasePlaceholder } from "./placeholders.ts";
import { systemCallFilter } from "./system-calls.ts";

/** Folders of temporary files, of sockets and of devices, by which a command could reach programs outside. */
const REPLACED = ["/tmp", "/run", "/dev"];

export const bubblewrap: Engine = {
  name: "bubblewrap",
  package: "bubblewrap",
  find: (environment, roots) =>
    systemProgram("bwrap", environment) ?? findProgram("bwrap", environment, roots),
  version: { flag: "--version", of: (output) => /\d+(?:\.\d+)+/.exec(output)?.[0] ?? "" },
  enclose,
};

function enclose(program: string, rules: FileRules): CommandEnclosure {
  // Only what exists can be covered.
  const held = rules.absent.filter(holdPlaceholder);
  const release = () => held.forEach(releasePlaceholder);
  try {
    const fixed = [...rules.fixed, ...held.map((each) => each.path)];
    const filter = systemCallFilter(rules);
    // Nothing else closes sockets with names of the kernel's, such as those of the screen, to a command with network.
    if (rules.network && filter === undefined)
      throw new Error(`commands cannot be given the network alone on this processor (${process.arch})`);
    const list = [
      ...bubblewrapArguments({ ...rules, fixed }, nothingIn(rules.own)),
      ...(filter ? ["--seccomp", String(FIRST_INPUT + 1)] : []),
    ];
    // A list of many files does not fit into one argument.
    const input = list.map((argument) => `${argument}\0`).join("");
    const flags = ["--args", String(FIRST_INPUT), "--"];
    return { program, flags, inputs: [input, ...(filter ? [filter] : [])], temporary: "/tmp", release };
  } catch (error) {
    release();
    throw error;
  }
}

/** An empty file and an empty folder that nobody may read. */
interface Nothing {
  file: string;
  folder: string;
}

function nothingIn(own: string): Nothing {
  const nothing = { file: path.join(own, "no-file"), folder: path.join(own, "no-folder") };
  if (!existsSync(nothing.file)) {
    writeFileSync(nothing.file, "");
    chmodSync(nothing.file, 0);
    mkdirSync(nothing.folder, { mode: 0 });
  }
  return nothing;
}

/** Later arguments cover what earlier ones made visible. */
function bubblewrapArguments(rules: FileRules, nothing: Nothing): string[] {
  const { profile, network, hidden, folders, fixed, temporary } = rules;
  const shownIn = (file: string) => rules.shown.filter((folder) => isInside(file, folder));
  const isReplaced = (file: string) => REPLACED.some((folder) => isInside(folder, file));
  const programs = rules.programs.filter(isReplaced);
  const isBound = (file: string) => [...folders, ...programs].some((folder) => isInside(folder, file));
  const cover = (file: string) => {
    const stats = isReplaced(file) && !isBound(file) ? undefined : statSync(file, { throwIfNoEntry: false });
    if (!stats) return [];
    const within = shownIn(file);
    if (within.length === 0) return ["--ro-bind", stats.isDirectory() ? nothing.folder : nothing.file, file];
    // Nothing can be mounted in a folder that nobody may read, so an empty one takes its place.
    const bound = within.flatMap((folder) => ["--ro-bind", folder, folder]);
    return ["--tmpfs", file, ...bound, "--remount-ro", file];
  };
  const inFolders = (file: string) => folders.some((folder) => isInside(folder, file));
  return [
    ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    ...(network ? [] : ["--unshare-net"]),
    ...["--die-with-parent", "--cap-drop", "ALL"],
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    ...["--tmpfs", "/run", "--bind", temporary, "/tmp"],
    ...(network ? resolverArguments(isReplaced) : []),
    ...programs.flatMap((folder) => ["--ro-bind-try", folder, folder]),
    ...hidden.filter((file) => !inFolders(file)).flatMap(cover),
    ...folders.flatMap((folder) => [profile === "work" ? "--bind" : "--ro-bind", folder, folder]),
    ...(profile === "work" ? fixed.flatMap((file) => ["--ro-bind-try", file, file]) : []),
    ...hidden.filter(inFolders).flatMap(cover),
  ];
}

/** The configuration of the name resolver, which is often a link into /run. Not its folder, in which programs listen. */
function resolverArguments(isReplaced: (file: string) => boolean): string[] {
  try {
    const file = realpathSync("/etc/resolv.conf");
    return isReplaced(file) ? ["--ro-bind-try", file, file] : [];
  } catch {
    // There is none: names are then resolved in another way, if at all.
    return [];
  }
}
