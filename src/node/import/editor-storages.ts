/** The folders in which VS Code and the editors that are based on it keep the storages of their extensions. */
import path from "node:path";
import type { FindOptions } from "./found-session.ts";

/** Names of their folders in the user's configuration. */
const EDITORS = [
  "Code",
  "Code - Insiders",
  "Code - OSS",
  "VSCodium",
  "Cursor",
  "Windsurf",
  "Kiro",
  "Trae",
  "Antigravity",
  "Positron",
];

/** In the home folder of a machine that an editor is connected to. */
const SERVERS = [
  ".vscode-server",
  ".vscode-server-insiders",
  ".vscodium-server",
  ".cursor-server",
  ".windsurf-server",
];

export type UserPlaces = Pick<FindOptions, "environment" | "home" | "platform">;

export function editorStorages({ environment, home, platform }: UserPlaces): string[] {
  const { APPDATA, XDG_CONFIG_HOME, VSCODE_PORTABLE } = environment;
  const linux = XDG_CONFIG_HOME || path.join(home, ".config");
  const configuration =
    platform === "win32"
      ? APPDATA || path.join(home, "AppData", "Roaming")
      : platform === "darwin"
        ? path.join(home, "Library", "Application Support")
        : linux;
  const users = [
    ...EDITORS.map((name) => path.join(configuration, name, "User")),
    ...SERVERS.map((name) => path.join(home, name, "data", "User")),
    path.join(home, ".local", "share", "code-server", "User"),
    ...(VSCODE_PORTABLE ? [path.join(VSCODE_PORTABLE, "user-data", "User")] : []),
  ];
  return users.map((user) => path.join(user, "globalStorage"));
}
