/**
 * Writes that always ask: files that determine what runs, and files that contain secrets. Judged on folded names
 * (folded-names.ts).
 */
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import { autorunPart } from "./autorun-files.ts";
import { foldedParts, isShortName } from "./folded-names.ts";
import { manifestReason } from "./manifests.ts";
import { secretName } from "./secret-names.ts";

const words = (list: string) => new Set(list.split(/\s+/).filter((word) => word !== ""));

const GIT_HOOKS = words(
  "applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit pre-rebase post-checkout post-merge pre-push pre-receive update proc-receive post-receive post-update reference-transaction push-to-checkout pre-auto-gc post-rewrite sendemail-validate fsmonitor-watchman p4-changelist p4-prepare-changelist p4-post-changelist p4-pre-submit post-index-change",
);

/**
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
