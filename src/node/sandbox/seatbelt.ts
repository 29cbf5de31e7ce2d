/**
 * The rules as a profile of Seatbelt, the sandbox of macOS, which sandbox-exec(1) applies to a command.
 *
 * Apple documents neither the language nor the operations, and calls the program deprecated; others have used both for years (Bazel, Nix,
 * Chromium). The profile has not been tried on a Mac: it rests on what such profiles contain and on what others measured on macOS 14 to 27,
 * and the tests evaluate its text by these findings:
 *
 * - The last rule that matches decides. A rule for one operation (`file-write-unlink`) comes before those for its whole kind
 *   (`file-write*`), wherever they stand: so an exception comes later here, and names the same operation or a narrower one.
 * - The path of what exists is its real path in the spelling of the disk, whatever link or spelling led to it; filters match it as they
 *   are written. Only what is made has the spelling of the program that makes it, which case-insensitive volumes do not tell apart.
 * - Renaming removes the old name (`file-write-unlink`) and makes the new one (`file-write-create`). Nothing is asked about what is in a
 *   folder that is renamed, so folders above what is protected keep their names.
 * - A second name for a file (`file-link`) and a copy that shares its content (`file-clone`, of whole folders too) are not kinds of
 *   writing. Nobody could tell them from the original, so they are not allowed at all; programs copy instead.
 * - Programs that run with other rights (`sudo`, `ps`, `crontab`) do not start in any profile.
 */
import { randomUUID } from "node:crypto";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isInside } from "../../core/roots.ts";
import { parentFolders } from "../files/parent-folders.ts";
import type { CommandEnclosure, Engine, FileRules } from "./file-rules.ts";

/** Never one of PATH. */
const PROGRAM = "/usr/bin/sandbox-exec";

export const seatbelt: Engine = {
  name: "sandbox-exec",
  find: () => (existsSync(PROGRAM) ? PROGRAM : undefined),
  enclose,
};

/** The profile is a file: as an argument it could be too long, and its parameters would be arguments with any characters. */
function enclose(program: string, rules: FileRules): CommandEnclosure {
  const file = path.join(rules.own, `${randomUUID()}.sb`);
  writeFileSync(file, seatbeltProfile(rules), { mode: 0o600, flag: "wx" });
  const release = () => rmSync(file, { force: true });
  return { program, flags: ["-f", file], inputs: [], temporary: rules.temporary, release };
}

/** Devices, temporary files of others, and the second path of everything on the volume for data. */
const COVERED = ["/dev", "/private/tmp", "/System/Volumes/Data"];
/** Each user's folder of temporary files. */
const USERS_TEMPORARY = "^/private/var/folders/[^/]+/[^/]+/T(/|$)";

const WRITTEN_DEVICES = ["/null", "/zero", "/tty", "/ptmx", "/stdout", "/stderr"];
const READ_DEVICES = [...WRITTEN_DEVICES, "", "/random", "/urandom", "/stdin"];
/** Terminals that the command opens itself. */
const OWN_TERMINALS = '(require-all (regex "^/dev/ttys[0-9]+$") (extension "com.apple.sandbox.pty"))';

/**
 * What programs ask of the kernel. `kern.proc` would show arguments and environments of the user's other programs. Others found that
 * macOS 26 hides them where all of this is a short list, not where everything but these names is allowed, and that versions before 27 may
 * show them in any profile.
 */
const KERNEL = ["hw.", "machdep.cpu.", "net.", "sysctl.", "kern.ipc.", "kern.os", "kern.max", "vm.loadavg"];
const KERNEL_VALUES =
  "argmax boottime clockrate hostname hv_vmm_present iossupportversion ngroups secure_kernel tcsm_available usrstack64 version willshutdown"
    .split(" ")
    .map((name) => `kern.${name}`);

/** Names of users and groups, the log, notifications of the system's state, and where the folder of temporary files is. */
const SERVICES = [
  ...["opendirectoryd.libinfo", "opendirectoryd.membership", "logger", "notification_center"].map(
    (name) => `com.apple.system.${name}`,
  ),
  ...["com.apple.logd", "com.apple.bsd.dirhelper"],
];
/** Settings of the network, and which certificates are trusted. Not the keychain. */
const NETWORK_SERVICES = [
  ...["com.apple.SystemConfiguration.configd", "com.apple.SystemConfiguration.DNSConfiguration"],
  ...["com.apple.trustd", "com.apple.trustd.agent"],
];
const RESOLVER = "/private/var/run/mDNSResponder";

export function seatbeltProfile(rules: FileRules): string {
  const { profile, network, hidden, fixed, absent, folders, programs, temporary } = rules;
  const covered = [...folders, ...programs, temporary].filter(isCovered);
  const isHidden = (file: string) => hidden.some((folder) => isInside(folder, file));
  const written = profile === "work" ? folders : [];
  const isWritten = (file: string) => written.some((folder) => isInside(folder, file));
  const existing = [...fixed, ...hidden].filter(isWritten);
  const missing = absent.map((each) => each.path).filter(isWritten);
  const unmoved = [temporary, ...written, ...[...existing, ...missing].flatMap(above).filter(isWritten)];
  return [
    "(version 1)",
    "(deny default)",
    "(allow process-exec process-fork)",
    "(allow signal (target same-sandbox))",
    // The denials are not superfluous: others saw processes outside although nothing allowed it.
    "(deny process-info*)",
    "(allow process-info* (target same-sandbox))",
    "(deny process-info-pidinfo (require-not (target same-sandbox)))",
    ...rule(
      "allow sysctl-read",
      filters("sysctl-name-prefix", KERNEL),
      filters("sysctl-name", KERNEL_VALUES),
    ),
    ...rule(
      "allow mach-lookup",
      filters("global-name", network ? [...SERVICES, ...NETWORK_SERVICES] : SERVICES),
    ),
    // Semaphores of programs that compute in several processes.
    "(allow ipc-posix-sem)",
    '(allow ipc-posix-shm-read-data (ipc-posix-name "apple.shm.notification_center"))',
    "(allow pseudo-tty)",
    ...networkRules(temporary, network),

    "(allow file-read* file-map-executable)",
    ...rule("deny file-read*", filters("subpath", COVERED), filters("regex", [USERS_TEMPORARY])),
    ...rule("allow file-read*", filters("literal", devices(READ_DEVICES)), [
      '(subpath "/dev/fd")',
      OWN_TERMINALS,
    ]),
    ...rule("allow file-read*", filters("subpath", covered)),
    ...rule("allow file-read-metadata", filters("literal", covered.flatMap(above).filter(isCovered))),
    ...rule(
      "deny file-read*",
      hidden.map((file) => within(file, rules.shown)),
    ),
    // As elsewhere: that there is such a file is no secret, and programs that list a folder do not fail.
    ...rule(
      "allow file-read-metadata",
      filters("literal", [...hidden, ...rules.shown.flatMap(above).filter(isHidden)]),
    ),

    ...rule("allow file-write-data", filters("literal", devices(WRITTEN_DEVICES)), [
      '(subpath "/dev/fd")',
      OWN_TERMINALS,
    ]),
    ...rule("allow file-ioctl", filters("literal", devices(WRITTEN_DEVICES)), [
      '(regex "^/dev/ttys[0-9]+$")',
    ]),
    ...rule("allow file-write*", filters("subpath", [temporary, ...written])),
    ...rule("deny file-write*", filters("subpath", existing), filters("regex", missing.map(inAnyCase))),
    ...rule("deny file-write-create", filters("regex", existing.map(inAnyCase))),
    ...rule("deny file-write-unlink file-write-create", filters("literal", unmoved)),
    "",
  ].join("\n");
}

/** A command has sockets of its own in its temporary folder. Those of other programs are elsewhere. */
function networkRules(temporary: string, network: boolean): string[] {
  const [folder] = filters("subpath", [temporary]);
  const all = "network-bind network-inbound network-outbound";
  return [
    "(allow system-socket (socket-domain AF_UNIX))",
    `(allow ${all} (local unix-socket ${folder}) (remote unix-socket ${folder}))`,
    ...(network
      ? [
          "(allow system-socket)",
          `(allow ${all} (local ip "*:*") (remote ip "*:*"))`,
          `(allow network-outbound (remote unix-socket (literal "${RESOLVER}")))`,
        ]
      : []),
  ];
}

/** The folder and what is in it, without these folders. */
function within(file: string, without: readonly string[]): string {
  const [all = ""] = filters("subpath", [file]);
  const others = filters(
    "subpath",
    without.filter((folder) => isInside(file, folder)),
  ).map((each) => `(require-not ${each})`);
  return others.length === 0 ? all : `(require-all ${all} ${others.join(" ")})`;
}

/** Without a filter a rule would apply to everything: then there is none. */
function rule(head: string, ...lists: readonly (readonly string[])[]): string[] {
  const all = lists.flat();
  return all.length === 0 ? [] : [`(${head}\n  ${all.join("\n  ")})`];
}

const filters = (kind: string, values: Iterable<string>): string[] =>
  [...new Set(values)].map((value) => `(${kind} ${quoted(value)})`);

const devices = (names: readonly string[]) => names.map((name) => `/dev${name}`);

/** Characters of a string. The reader of the language is made from one that takes no more than 255 bytes. */
const LONGEST = 60;

/** Only a quotation mark ends a string, and only a backslash changes what follows. */
function quoted(text: string): string {
  const pieces = text.match(new RegExp(`[^]{1,${LONGEST}}`, "gu")) ?? [""];
  const strings = pieces.map((piece) => `"${piece.replace(/["\\]/g, "\\$&")}"`);
  return strings.length === 1 ? strings.join("") : `(string-append ${strings.join(" ")})`;
}

/** Characters that case-insensitive volumes take for these letters, beside the other case. */
const LOOKALIKES: Readonly<Record<string, string>> = { k: "\u212a", s: "\u017f" };

/** An expression for the file and what is in it, whatever its case and its form of Unicode: the language has no flag for that. */
function inAnyCase(file: string): string {
  const characters = [...file.normalize("NFC")].map((character) => {
    const lower = character.toLowerCase();
    const cases = [character, lower, character.toUpperCase()];
    const forms = new Set(cases.flatMap((each) => [each.normalize("NFC"), each.normalize("NFD")]));
    const lookalike = LOOKALIKES[lower];
    if (lookalike !== undefined) forms.add(lookalike);
    const escaped = [...forms].map((each) => each.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
    return escaped.length === 1 ? escaped.join("") : `(${escaped.join("|")})`;
  });
  return `^${characters.join("")}(/|$)`;
}

const isCovered = (file: string): boolean =>
  COVERED.some((folder) => isInside(folder, file)) || new RegExp(USERS_TEMPORARY).test(file);

/** All folders above, without the root of the system. */
const above = (file: string): string[] => parentFolders(file).slice(0, -1);
