/**
 * Decides whether a file may be read or written without approval. Paths are judged after resolving links, never as
 * text.
 */

import { isAbsolute, posix, resolve } from "node:path";
import { type Reason, reasonOf, type Verdict } from "../../../shared/reason.ts";
import { hiddenCharacter } from "../shells/hidden-characters.ts";
import { autorunPart } from "./autorun-files.ts";
import { foldedParts, isDeviceName, isShortName } from "./folded-names.ts";
import { isManifestReason, manifestReason } from "./manifests.ts";
import { secretName } from "./secret-names.ts";

export interface PathOptions {
  /** The project's folder, absolute: relative paths start here. */
  root: string;
  /** Additional folders that count as inside (multi-root workspaces). */
  roots?: string[];
  access: "read" | "write";
  /** Folders that the project's folder is a copy of: nothing in them is written, whatever the settings allow. */
  originals?: readonly string[];
  /** Like `fs.realpath`: rejects (code ENOENT) if the path does not exist. */
  realpath(path: string): Promise<string>;
  /** Like `fs.readlink`; with it, a link to a file that does not exist yet is recognized as a link. */
  readlink?(path: string): Promise<string>;
  /** Whether the user's editor marks the file as read-only. Absolute. */
  isReadonly?(path: string): boolean;
  /** Whether .nekodeignore matches this path (relative to `root`, the real path of one of the roots, with `/`). */
  ignored?(relative: string, root: string): boolean;
}

export interface PathVerdict {
  verdict: Verdict;
  reason: Reason;
  /** The real path; the path as given if that could not be determined. */
  resolved: string;
  /** Whether the path is inside one of the roots. */
  inside: boolean;
  /**
   * Asks regardless of auto-approval ("protected", "secret", "unclear"), or is refused ("ignored", "original"). "scripts": asks
   * unless the written content is known not to change what a manifest runs.
   */
  guard?: "protected" | "secret" | "unclear" | "ignored" | "scripts" | "original";
}

const LONGEST_PATH = 4096;
const MOST_LINKS = 40;

class Unresolvable extends Error {
  constructor(readonly reason: Reason) {
    super(reason.code);
  }
}

/** Judges one path. Never throws, whatever the path and the host's functions do. */
export async function judgePath(path: string, options: PathOptions): Promise<PathVerdict> {
  const unclear = (verdict: "ask" | "deny", reason: Reason): PathVerdict => ({
    verdict,
    reason,
    resolved: path,
    inside: false,
    guard: "unclear",
  });
  if (path.includes("\0") || path.length > LONGEST_PATH) return unclear("deny", reasonOf("path-unusable"));
  const hidden = /[\t\n]/.test(path) ? "U+0009, U+000A" : hiddenCharacter(path);
  if (hidden) return unclear("ask", reasonOf("hidden-character", hidden));
  const odd = oddForm(path);
  if (odd) return unclear("ask", odd);
  try {
    return await judgeResolved(path, options);
  } catch (error) {
    return unclear("ask", error instanceof Unresolvable ? error.reason : reasonOf("path-unresolved"));
  }
}

/** Forms that, on some system, lead to a different place than they appear to. */
function oddForm(path: string): Reason | undefined {
  if (/^~(?:[\\/]|$)/.test(path)) return reasonOf("path-unusable");
  if (/^[\\/]{2}/.test(path)) return reasonOf("path-on-another-machine");
  const device = foldedParts(path).find(isDeviceName);
  if (device) return reasonOf("windows-device", device);
  const colon = path.indexOf(":");
  if (colon === 1 && !isAbsolute(path)) return reasonOf("alternate-data-stream");
  if (colon > 1 || (colon === 1 && path.indexOf(":", 2) >= 0)) return reasonOf("alternate-data-stream");
  return undefined;
}

async function judgeResolved(path: string, options: PathOptions): Promise<PathVerdict> {
  const { access } = options;
  const given = resolve(options.root, path);
  const resolved = await realOrFuture(given, options);
  if (path.includes("..") && (await stepByStep(path, options)) !== resolved)
    throw new Unresolvable(reasonOf("link-elsewhere", path));
  const roots = await Promise.all(
    [...new Set([options.root, ...(options.roots ?? [])])].map((root) => options.realpath(root)),
  );
  const homes = roots.flatMap((root) => {
    const path = below(root, resolved);
    return path === undefined ? [] : [{ root, path }];
  });
  const relative = homes[0]?.path;
  const inside = relative !== undefined && !escapesByBackslash(path);
  const about = { resolved, inside };
  // Both the given name and the real one count: a tool may later open either.
  const lexical = below(resolve(options.root), given) ?? given;
  const real = homes.length === 0 ? [resolved] : homes.map((home) => home.path);
  const names = [...real, lexical, ...(isAbsolute(path) ? [] : [path])];
  if (options.ignored && relative !== undefined && relative !== "") {
    // A pattern with a trailing slash matches only folders, and the path may lead to one.
    const [first] = roots;
    const named = lexical !== given && first !== undefined ? [{ root: first, path: lexical }] : [];
    const isNamed = [...homes, ...named].some(({ root, path }) => {
      const form = path.replaceAll("\\", "/");
      return form !== "" && (options.ignored?.(form, root) || options.ignored?.(`${form}/`, root));
    });
    if (isNamed) {
      return { verdict: "deny", reason: reasonOf("ignored-file"), ...about, guard: "ignored" };
    }
  }
  if (access === "write" && homes.length === 0 && (await isOriginal(resolved, options)))
    return { verdict: "deny", reason: reasonOf("original-of-copy", resolved), ...about, guard: "original" };
  const guarded = guardOf(names, [resolved, given], options);
  if (guarded !== undefined) return { verdict: "ask", ...about, ...guarded };
  if (!inside) return { verdict: "ask", reason: reasonOf("outside-project", resolved), ...about };
  if (access === "write" && relative === "")
    return { verdict: "ask", reason: reasonOf("project-folder-itself"), ...about, guard: "protected" };
  return { verdict: "allow", reason: reasonOf("inside-project"), ...about };
}

/** Whether this real path is in a folder that the project's folder is a copy of. */
async function isOriginal(
  resolved: string,
  { originals = [], realpath }: Pick<PathOptions, "originals" | "realpath">,
): Promise<boolean> {
  const real = await Promise.all(originals.map((folder) => realpath(folder).catch(() => folder)));
  return [...originals, ...real].some((folder) => below(folder, resolved) !== undefined);
}

/** Why access to one of these names always asks. `files`: the absolute names. */
function guardOf(
  names: readonly string[],
  files: readonly string[],
  { access, isReadonly }: PathOptions,
): Required<Pick<PathVerdict, "reason" | "guard">> | undefined {
  const reasons = names
    .map((name) => (access === "write" ? protectedWrite(name) : secretName(name)))
    .filter((reason) => reason !== undefined);
  const [reason = undefined] = [...reasons.filter((each) => !isManifestReason(each)), ...reasons];
  if (access === "read") return reason && { reason, guard: "secret" };
  if (reason !== undefined && !isManifestReason(reason)) return { reason, guard: "protected" };
  if (files.some((file) => isReadonly?.(file)))
    return { reason: reasonOf("marked-read-only"), guard: "protected" };
  return reason && { reason, guard: "scripts" };
}

/**
 * `..\x` is a single name here but leaves the folder on Windows: the path counts as outside if the Windows reading
 * leaves the root.
 */
function escapesByBackslash(path: string): boolean {
  if (!path.includes("\\")) return false;
  const other = path.replaceAll("\\", "/");
  return !isAbsolute(path) && (/^[A-Za-z]:|^\//.test(other) || posix.normalize(other).startsWith(".."));
}

/** Returns the path below `root` ("" for the root itself); undefined if it is not inside. */
function below(root: string, path: string): string | undefined {
  if (path === root) return "";
  const prefix = /[\\/]$/.test(root)
    ? root
    : root + (root.includes("\\") && !root.includes("/") ? "\\" : "/");
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
}

/**
 * Resolves as the system does: a `..` after a link leads above the link's target. The tools remove `..` from the text,
 * but the programs of a command do not.
 */
async function stepByStep(path: string, options: PathOptions): Promise<string> {
  const steps = path.split(/[\\/]+/);
  let at = isAbsolute(path) ? resolve(path, steps[0] === "" ? "/" : `${steps[0]}\\`) : options.root;
  for (const step of isAbsolute(path) ? steps.slice(1) : steps) {
    if (step === "" || step === ".") continue;
    at = step === ".." ? resolve(await realOrFuture(at, options), "..") : resolve(at, step);
  }
  return realOrFuture(at, options);
}

/**
 * Returns the real path; for a path that does not exist yet, the real path of its nearest existing folder plus the
 * rest.
 */
async function realOrFuture(path: string, options: PathOptions, links = 0): Promise<string> {
  if (links > MOST_LINKS) throw new Unresolvable(reasonOf("path-unresolved"));
  try {
    return await options.realpath(path);
  } catch (error) {
    if (!isMissing(error)) throw new Unresolvable(reasonOf("path-unresolved"));
  }
  const target = await options.readlink?.(path).catch(() => undefined);
  const parent = resolve(path, "..");
  if (target !== undefined)
    return realOrFuture(resolve(await realOrFuture(parent, options, links + 1), target), options, links + 1);
  if (parent === path) throw new Unresolvable(reasonOf("path-unusable"));
  const folder = await realOrFuture(parent, options, links);
  return resolve(folder, path.slice(parent.length).replace(/^[\\/]+/, ""));
}

/** A host without codes says that a path does not exist, too. */
function isMissing(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code !== "string" || /^(?:ENOENT|ENOTDIR|FileNotFound)$/.test(code);
}

const words = (list: string) => new Set(list.split(/\s+/).filter((word) => word !== ""));

const GIT_HOOKS = words(
  "applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit pre-rebase post-checkout post-merge pre-push pre-receive update proc-receive post-receive post-update reference-transaction push-to-checkout pre-auto-gc post-rewrite sendemail-validate fsmonitor-watchman p4-changelist p4-prepare-changelist p4-post-changelist p4-pre-submit post-index-change",
);

/**
 * Writes that always ask: files that determine what runs, and files that contain secrets. Judged on folded names
 * (folded-names.ts).
 *
 * Returns why writing here always asks; otherwise undefined. `path` is relative to the project (or the judged part of
 * an outside path). Manifests also count, because they name what runs; see `manifestSteers`.
 */
export function protectedWrite(path: string): Reason | undefined {
  const parts = foldedParts(path);
  for (const [i, part] of parts.entries()) {
    if (part === "hooks" && GIT_HOOKS.has(parts[i + 1] ?? "")) return reasonOf("git-hook");
    if (/^\.env/.test(part)) return reasonOf("secret-file", part);
  }
  const steering = autorunPart(parts);
  if (steering !== undefined) return reasonOf("steers-what-runs", steering);
  const manifest = manifestReason(parts.at(-1) ?? "");
  if (manifest !== undefined) return manifest;
  const short = path.split(/[\\/]+/).find((part) => isShortName(part));
  if (short !== undefined) return reasonOf("short-name", short);
  return secretName(path);
}
