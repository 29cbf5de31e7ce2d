/**
 * Reads files that the model receives without approval: rules and workflows. Only regular files of the project (or the
 * user's own rules) qualify, by their real path and with the same checks as a tool that reads a file.
 */
import { relative } from "node:path";
import { type Reason, reasonOf } from "../../shared/reason.ts";
import { faultOf } from "../errors.ts";
import type { Host } from "../ports/host.ts";
import { judgePath } from "../safety/paths/judge-path.ts";
import { IgnoredFiles } from "./ignored-files.ts";

/** Bytes of the largest instruction file. */
export const MAX_SIZE = 100 * 1024;

/**
 * Why a file is not sent. "elsewhere": its real path is outside its folder. "secret" and "ignored": the file may contain
 * secrets, or is named in .nekodeignore. "unreadable": `why` has the reason.
 */
export type InstructionFileFault =
  | "elsewhere"
  | "secret"
  | "ignored"
  | "too-large"
  | "not-text"
  | "unreadable";

export type InstructionFile = { text: string } | { fault: InstructionFileFault; why?: Reason };

const fault = (code: InstructionFileFault): InstructionFile => ({ fault: code });
const unreadable = (why: Reason): InstructionFile => ({ fault: "unreadable", why });

/** Reads the file at `path`, whose real path must be inside `within`. Both are absolute. Never rejects. */
export async function readInstructionFile(
  host: Host,
  path: string,
  within: string,
): Promise<InstructionFile> {
  try {
    return await read(host, path, within);
  } catch (error) {
    return unreadable(faultOf(error));
  }
}

async function read(host: Host, path: string, within: string): Promise<InstructionFile> {
  const { files } = host;
  const ignored = await new IgnoredFiles(host).rules();
  const judged = await judgePath(relative(within, path), {
    root: within,
    access: "read",
    realpath: (target) => files.realpath(target),
    readlink: (target) => files.readlink(target),
    ...(ignored ? { ignored } : {}),
  });
  if (!judged.inside && judged.guard !== "unclear") return fault("elsewhere");
  if (judged.guard === "secret" || judged.guard === "ignored") return fault(judged.guard);
  if (judged.verdict !== "allow") return unreadable(judged.reason);
  const stat = await files.stat(judged.resolved);
  if (stat?.kind !== "file") return unreadable(reasonOf("not-a-regular-file"));
  if (stat.size > MAX_SIZE) return fault("too-large");
  const content = await files.readText(judged.resolved).catch(() => undefined);
  if (content === undefined || content.text.includes("\0")) return fault("not-text");
  // The link's target may have changed after the check: the content read must be that of the file checked.
  const after = await files.stat(judged.resolved);
  if (after?.version !== content.version || (await files.realpath(path)) !== judged.resolved)
    return unreadable(reasonOf("file-changed"));
  return { text: content.text };
}
