/** The environment of commands in the sandbox: without keys and without ways to programs outside; caches are the project's own. */
import { existsSync } from "node:fs";
import path from "node:path";

/** Variables that hold keys, by their names. */
const SECRET =
  /(?:^|_)(?:token|secret|secrets|password|passwd|passphrase|credentials?|api_?key|apikey|access_?key(?:_id)?|private_?key|auth|cookie|pat)(?:_|$)|(?:token|secret|password|apikey|accesskey)$/i;

/** Variables that name a socket or a server of a program outside. */
const WAYS_OUT = new Set(
  `
    SSH_AUTH_SOCK SSH_AGENT_PID GPG_AGENT_INFO DBUS_SESSION_BUS_ADDRESS DBUS_SYSTEM_BUS_ADDRESS DOCKER_HOST
    CONTAINER_HOST PODMAN_HOST BUILDKIT_HOST XDG_RUNTIME_DIR DISPLAY WAYLAND_DISPLAY XAUTHORITY ICEAUTHORITY
    SESSION_MANAGER PULSE_SERVER WSL_INTEROP WSLENV TMUX STY VSCODE_IPC_HOOK_CLI VSCODE_GIT_IPC_HANDLE
    VSCODE_GIT_ASKPASS_NODE VSCODE_GIT_ASKPASS_MAIN GIT_ASKPASS SSH_ASKPASS SUDO_ASKPASS KUBECONFIG
    SCCACHE_SERVER_UDS NAILGUN_SERVER LD_PRELOAD
  `
    .trim()
    .split(/\s+/),
);

/** `caches`: the folder of this project's caches; undefined: nothing can be written but temporary files. */
export function sandboxVariables(
  environment: NodeJS.ProcessEnv,
  options: { home: string; temporary: string; caches: string | undefined; network: boolean },
): NodeJS.ProcessEnv {
  const { home, temporary, caches, network } = options;
  const kept = Object.entries(environment).filter(
    ([name]) => !SECRET.test(name) && !WAYS_OUT.has(name.toUpperCase()),
  );
  return {
    ...Object.fromEntries(kept),
    TMPDIR: temporary,
    ...(network ? {} : NO_RETRIES),
    ...(caches === undefined ? {} : cacheVariables(environment, home, caches)),
  };
}

/** Without a network nothing comes of trying again, for which package managers wait a minute and longer. */
const NO_RETRIES = { npm_config_fetch_retries: "0", PIP_RETRIES: "0", CARGO_NET_RETRY: "0" };

/** Only what works without what the user's own caches hold: there is no network to fill these. */
function cacheVariables(environment: NodeJS.ProcessEnv, home: string, caches: string): NodeJS.ProcessEnv {
  const own = environment.XDG_CACHE_HOME ?? path.join(home, ".cache");
  const browsers = path.join(own, "ms-playwright");
  return {
    XDG_CACHE_HOME: caches,
    npm_config_cache: path.join(caches, "npm"),
    PIP_CACHE_DIR: path.join(caches, "pip"),
    GOCACHE: path.join(caches, "go-build"),
    PYTHONPYCACHEPREFIX: path.join(caches, "python"),
    // Browsers that are installed there are read, not written.
    ...(environment.PLAYWRIGHT_BROWSERS_PATH === undefined && existsSync(browsers)
      ? { PLAYWRIGHT_BROWSERS_PATH: browsers }
      : {}),
  };
}
