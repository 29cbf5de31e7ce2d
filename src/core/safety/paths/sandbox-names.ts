/** What the sandbox does with a file of a project because of its name. */
import { isInstalledFolder, takesEffectByItself } from "./autorun-files.ts";
import { foldedParts } from "./folded-names.ts";
import { secretName } from "./secret-names.ts";

/**
 * hidden: commands cannot read it. fixed: they can read it and not change it. installed: a folder of dependencies, in which nothing
 * is looked for. undefined: an ordinary file.
 */
export type SandboxRule = "hidden" | "fixed" | "installed" | undefined;

/** Package managers and build tools do not start if they cannot read these; their content tells whether they hold a secret. */
const READ_AT_START = new Set([".npmrc", ".yarnrc", ".yarnrc.yml", "local.properties", ".envrc"]);

/** `path`: of a file or folder, relative to the project's folder, with `/`. */
export function sandboxRule(path: string): SandboxRule {
  const name = foldedParts(path).at(-1) ?? "";
  if (isInstalledFolder(name)) return "installed";
  if (secretName(path) !== undefined && !READ_AT_START.has(name)) return "hidden";
  return takesEffectByItself(name) ? "fixed" : undefined;
}

/** Whether the rule for this name depends on the content: see `holdsSecret`. */
export function isReadAtStart(path: string): boolean {
  return READ_AT_START.has(foldedParts(path).at(-1) ?? "");
}

/** Whether a file that is read at start assigns a secret itself, instead of naming a variable that holds it. */
export function holdsSecret(content: string): boolean {
  return /(?:auth\w*|token|password|passwd|secret|api_?key)["']?\s*[=:]\s*["']?(?![$"'\s])\S/i.test(content);
}
