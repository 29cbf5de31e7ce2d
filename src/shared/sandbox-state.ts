/** Whether a project's commands can run in a sandbox on this machine. */

/**
 * Why there is no sandbox. system: none is known for this system. missing: its program is not installed. refused: the system does not
 * let it work. silent: it did not answer in time. place: it cannot protect this project's folder.
 */
export type NoSandboxReason = "system" | "missing" | "refused" | "silent" | "place";

export type SandboxState =
  | { engine: "bubblewrap" | "sandbox-exec"; version: string }
  /** `detail`: what the system said, or the folder. */
  | { engine: undefined; why: NoSandboxReason; detail: string };
