/** What the sandbox stopped, as far as a command's output tells. */
import type { SandboxBlock, ShownSandboxPlace } from "../../shared/message.ts";
import type { ApprovedPlace, SandboxPlace } from "../ports/sandbox.ts";

/** The parameters of execute_command by which the model asks to run a command there. */
export const PLACE_PARAMS = { network: "network", outside: "outside_sandbox" } as const satisfies Readonly<
  Record<ApprovedPlace, string>
>;

/** Where the command can do what was blocked: no farther out than needed. */
export function placeFor({ kind }: SandboxBlock): ApprovedPlace {
  return kind === "network" ? "network" : "outside";
}

/** For the row of a command that runs there. */
export function shownPlace({ profile, network }: SandboxPlace): ShownSandboxPlace {
  return { profile, ...(network ? { network } : {}) };
}

/** Messages of the system, of its resolver and of common programs for a network that is not there. */
const NETWORK =
  /could not resolve|couldn't resolve|temporary failure in name resolution|name or service not known|network is unreachable|EAI_AGAIN|ENOTFOUND|ENETUNREACH|no such host|getaddrinfo|unable to access 'https?:|failed to (?:fetch|download)|dial tcp|nodename nor servname|no route to host|failed to connect to (?!localhost|127\.)/i;

/** `EROFS` in the words of the system's languages that programs print in, or as a code. */
const WRITE = /read-only file system|EROFS|device or resource busy|EBUSY|cross-device link|EXDEV/i;

const DENIED = /permission denied|EACCES|operation not permitted|EPERM/i;

/**
 * `output`: of a command in the sandbox that failed. undefined: nothing shows that the sandbox had to do with it. The path is that
 * in the first such line, as the program wrote it. `network`: the command had the network.
 */
export function sandboxBlock(output: string, network = false): SandboxBlock | undefined {
  const lines = output.split("\n");
  const says = (pattern: RegExp) => lines.find((line) => pattern.test(line));
  const write = says(WRITE);
  if (write !== undefined) return { kind: "write", ...pathIn(write) };
  if (!network && says(NETWORK) !== undefined) return { kind: "network" };
  const denied = says(DENIED);
  return denied === undefined ? undefined : { kind: "access", ...pathIn(denied) };
}

function pathIn(line: string): { path?: string } {
  // A shell begins its messages with its own path.
  const message = line.replace(/^\S+: line \d+: /, "");
  const [path] = /(?:~|\.{1,2})?\/[^\s'"`:,;)\]]+|(?<=['"`])[^\s'"`]+(?=['"`])/.exec(message) ?? [];
  return path === undefined ? {} : { path };
}

const THEN: Readonly<Record<ApprovedPlace, string>> = {
  network: "stays in the sandbox and has the network",
  outside: "runs outside",
};

/** For the model. */
export function sandboxBlockText(block: SandboxBlock): string {
  const { kind, path } = block;
  const place = placeFor(block);
  const what = {
    network: "access to the network",
    write: path === undefined ? "a write to a file" : `writing to ${path}`,
    access: path === undefined ? "access to a file" : `access to ${path}`,
  }[kind];
  return `The sandbox probably blocked ${what}. If the task needs it, call execute_command again with ${PLACE_PARAMS[place]} true: the user is asked, and the command then ${THEN[place]}.`;
}

/** Messages for a port of this computer on which nothing listens. */
const REFUSED = /ECONNREFUSED|connection refused|failed to connect to (?:localhost|127\.|::1)/i;

/**
 * For the model: what a command without network reaches, if it continues in the background, where it may be a server, or if it failed
 * to reach one. undefined: neither.
 */
export function ownPortsText(output: string, how: "background" | "failed"): string | undefined {
  if (how === "failed" && !REFUSED.test(output)) return undefined;
  return `In the sandbox, a command reaches only ports on which it listens itself: start a server and use it in one command, or run both with ${PLACE_PARAMS.outside} true.`;
}
