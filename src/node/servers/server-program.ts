/** The program and the environment of a local server. */
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { reasonOf } from "../../shared/reason.ts";
import { findCommand, withSafePath } from "../find-programs.ts";
import { Failed } from "./server-errors.ts";

/**
 * The variables of the host that a server inherits. Everything else, such as the keys and tokens of other programs, reaches a
 * server only if its configuration refers to it.
 */
const INHERITED = new RegExp(
  `^(?:${[
    ...["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LANG", "LANGUAGE", "LC_\\w+", "TZ", "TMPDIR"],
    ...["XDG_\\w+", "DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "SSH_AUTH_SOCK", "DOCKER_\\w+"],
    ...["HTTPS?_PROXY", "ALL_PROXY", "NO_PROXY", "NODE_EXTRA_CA_CERTS", "SSL_CERT_(?:FILE|DIR)"],
    // Where version managers and runtimes keep what they installed.
    ...[
      "NVM_\\w+",
      "FNM_\\w+",
      "VOLTA_HOME",
      "PNPM_HOME",
      "BUN_INSTALL",
      "DENO_DIR",
      "PYENV_ROOT",
      "UV_\\w+DIR",
    ],
    ...["JAVA_HOME", "DOTNET_ROOT", "GOPATH", "GOROOT", "CARGO_HOME", "RUSTUP_HOME", "NIX_\\w+"],
    ...["PLAYWRIGHT_BROWSERS_PATH", "NPM_CONFIG_(?:CACHE|PREFIX|USERCONFIG|REGISTRY)"],
    // Windows.
    ...["APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "PROCESSOR_ARCHITECTURE"],
    ...["PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES\\(X86\\)", "PROGRAMW6432", "SYSTEMDRIVE", "SYSTEMROOT"],
    ...["TEMP", "TMP", "USERNAME", "USERPROFILE", "WINDIR"],
  ].join("|")})$`,
  "i",
);

/**
 * The environment of a server: inherited variables, with a PATH without the workspace's folders, and what the configuration
 * sets.
 */
export function serverEnvironment(
  host: NodeJS.ProcessEnv,
  configured: Record<string, string>,
  roots: readonly string[],
): NodeJS.ProcessEnv {
  const inherited = Object.fromEntries(
    Object.entries(host).filter(
      // A value that starts like this defines a function in some shells.
      ([name, value]) => INHERITED.test(name) && !value?.startsWith("()"),
    ),
  );
  return { ...withSafePath(inherited, roots), ...configured };
}

/**
 * The absolute path of a configured command. A bare name is searched for on PATH outside the workspace; a path may be relative to
 * `cwd`. Throws Failed if there is no such program.
 */
export function serverProgram(
  command: string,
  { cwd, environment, roots }: { cwd: string; environment: NodeJS.ProcessEnv; roots: readonly string[] },
): string {
  if (!isFolder(cwd)) throw new Failed(reasonOf("mcp-folder-missing", cwd));
  const isPath = /[/\\]/.test(command);
  const found = isPath ? path.resolve(cwd, command) : findCommand(command, environment, roots);
  if (found !== undefined && existsSync(found)) return found;
  throw new Failed(reasonOf(isPath ? "mcp-program-missing" : "mcp-command-missing", command));
}

function isFolder(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
