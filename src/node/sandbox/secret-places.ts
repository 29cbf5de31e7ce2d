/** What is hidden from commands in the sandbox outside of the project: credentials and browsers' profiles of all users, sockets. */
import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { isInside } from "../../core/roots.ts";
import { isReadAtStart } from "../../core/safety/paths/sandbox-names.ts";
import { secretName } from "../../core/safety/paths/secret-names.ts";
import { readsSecret } from "./secret-content.ts";

/** Folders in a home folder whose entries are looked at by name, because they have the settings of many programs. */
const LOOKED_INTO = [
  "",
  ".config",
  ".local/share",
  ".local/state",
  ".cache",
  "Library",
  "Library/Application Support",
];

/** What holds secrets, whatever it is called; relative to a home folder. */
const BY_PLACE = [
  ...[".mozilla", ".thunderbird", ".pki", ".docker/config.json", ".config/mozilla", ".config/BraveSoftware"],
  ...[
    ".config/microsoft-edge",
    ".config/vivaldi",
    ".config/opera",
    ".config/chromium",
    ".config/google-chrome",
  ],
  ...["snap/firefox", "snap/chromium", ".var/app", ".local/share/keyrings", ".local/share/kwalletd"],
  ...[".config/Code", ".config/Code - Insiders", ".config/VSCodium", ".config/Cursor", ".vscode-server/data"],
  ...[".cargo/credentials", ".cargo/credentials.toml", ".m2/settings.xml", ".m2/settings-security.xml"],
  ...[".gradle/gradle.properties", ".config/git/credentials", ".config/pip/pip.conf", ".composer/auth.json"],
  ...["Library/Keychains", "Library/Cookies", "Library/Safari", "Library/Messages", "Library/Mail"],
  ...["Library/Containers", "Library/Group Containers", "Library/Accounts", "Library/Calendars"],
  ...["Library/HTTPStorages", "Library/WebKit", "Library/IdentityServices", "Library/Autosave Information"],
  ...[
    ...[
      "Google",
      "Chromium",
      "Firefox",
      "Microsoft Edge",
      "BraveSoftware",
      "Vivaldi",
      "Arc",
      "com.operasoftware.Opera",
    ],
    ...[
      "Thunderbird",
      "Code",
      "Code - Insiders",
      "VSCodium",
      "Cursor",
      "1Password",
      "Bitwarden",
      "AddressBook",
    ],
    ...["CallHistoryDB", "com.apple.TCC", "Slack", "Signal"],
  ].map((name) => `Library/Application Support/${name}`),
];

/** The system's own, for users who may read them. */
const SYSTEM = [
  "/etc/shadow",
  "/etc/gshadow",
  "/etc/shadow-",
  "/etc/gshadow-",
  "/etc/sudoers",
  "/etc/sudoers.d",
  "/etc/ssl/private",
  "/Library/Keychains",
];

/**
 * Files and folders that exist, by their real paths. `home`: the user's folder, wherever it is. `own`: Nekode's folders of data and
 * settings, hidden but for those of `roots` that are in them: worktrees are.
 */
export function secretPlaces(home: string, own: readonly string[], roots: readonly string[]): string[] {
  const keys = pathsIn("/etc/ssh").filter((file) => file.endsWith("_key"));
  const all = [
    ...[...new Set([home, "/root", ...pathsIn("/home"), ...pathsIn("/Users")])].flatMap(secretsInHome),
    ...own.flatMap((folder) => allBut(folder, roots)),
    ...SYSTEM,
    ...keys,
  ];
  return outermost(all.flatMap(realPlace));
}

/** The real path; nothing if the file is not there. */
export function realPlace(file: string): string[] {
  // Most are not there, which costs several times as much to be told by an error.
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return [];
  try {
    return [realpathSync.native(file)];
  } catch {
    // A link to nothing, or gone meanwhile.
    return [];
  }
}

/** Without those that are in another one: nothing can be covered in a folder that is. */
export function outermost(places: readonly string[]): string[] {
  const unique = [...new Set(places)];
  const covers = new Set(unique);
  const isCovered = (file: string): boolean => {
    const parent = path.dirname(file);
    return parent !== file && (covers.has(parent) || isCovered(parent));
  };
  return unique.filter((file) => !isCovered(file));
}

/** The folder, or what is in it beside these. */
function allBut(folder: string, roots: readonly string[]): string[] {
  if (!roots.some((root) => root !== folder && isInside(folder, root))) return [folder];
  return pathsIn(folder)
    .filter((each) => !roots.includes(each))
    .flatMap((each) => allBut(each, roots));
}

function secretsInHome(home: string): string[] {
  const there = namesIn(home);
  // What is in a folder that is not there need not be looked for. A folder without names may only not tell them.
  const first = new Set(there.map((name) => name.toLowerCase()));
  const mayBe = (name: string) => first.size === 0 || first.has(name.split("/", 1)[0]?.toLowerCase() ?? "");
  const named = LOOKED_INTO.flatMap((folder) =>
    (folder === "" ? there : mayBe(folder) ? namesIn(path.join(home, folder)) : [])
      .map((name) => path.posix.join(folder, name))
      .filter((name) => secretName(name) !== undefined)
      .map((name) => path.join(home, name))
      .filter((file) => !isReadAtStart(file) || readsSecret(file)),
  );
  return [...named, ...BY_PLACE.filter(mayBe).map((name) => path.join(home, name))];
}

const pathsIn = (folder: string): string[] => namesIn(folder).map((name) => path.join(folder, name));

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // It is not there, or not readable for commands either.
    return [];
  }
}

/** Paths of sockets on which programs of this machine listen: a connection to one is not a connection of the network. */
export function socketPlaces(): string[] {
  if (process.platform !== "linux") return [];
  const lines = readFileSync("/proc/net/unix", "utf8").split("\n");
  const paths = lines.map((line) => line.slice(line.indexOf("/"))).filter((file) => file.startsWith("/"));
  // Some are gone, or in another namespace of mounts.
  const isSocket = (file: string) => statSync(file, { throwIfNoEntry: false })?.isSocket() ?? false;
  return [...new Set(paths.flatMap(realPlace))].filter(isSocket);
}
