/**
 * Project manifests: most changes to a manifest are harmless, but some determine what runs. The content of the write
 * decides.
 */
import { type Reason, reasonOf } from "../../../shared/reason.ts";

const words = (list: string) => new Set(list.split(/\s+/).filter((word) => word !== ""));

const PACKAGE_SCRIPTS = reasonOf("package-scripts");
const CARGO_BUILD = reasonOf("cargo-build");
const COMPOSER_SCRIPTS = reasonOf("composer-scripts");

/**
 * Returns why writing a file with this folded name asks as long as its content is unknown; undefined if it is not such
 * a manifest.
 */
export function manifestReason(name: string): Reason | undefined {
  if (name === "package.json") return PACKAGE_SCRIPTS;
  if (name === "composer.json") return COMPOSER_SCRIPTS;
  return name === "cargo.toml" ? CARGO_BUILD : undefined;
}

export function isManifestReason({ code }: Reason): boolean {
  return [PACKAGE_SCRIPTS, CARGO_BUILD, COMPOSER_SCRIPTS].some((reason) => reason.code === code);
}

/**
 * Whether the change to the manifest that asked for this reason affects what runs. `before`: undefined for a new file.
 */
export function manifestSteers({ code }: Reason, before: string | undefined, after: string): boolean {
  if (code === CARGO_BUILD.code) return cargoBuildChanged(before, after);
  return code === COMPOSER_SCRIPTS.code
    ? sectionsChanged(COMPOSER_DESCRIPTIVE, before, after)
    : packageScriptsChanged(before, after);
}

/** Keys and tables that name a program or code from outside a registry, or that spell a key in an unusual way. */
const CARGO_STEERING =
  /\b(?:build|links|proc-macro|metabuild|plugin|path|git|registry(?:-index)?|rustc-\w+|config)"?\s*[.=]|^\s*\[+\s*["']?(?:patch|replace|unstable)|build-override|\\[uU]|"""|'''|^\s*["']/;

/** Whether the lines of a Cargo.toml that name a build script, a plugin or code in another place differ. */
function cargoBuildChanged(before: string | undefined, after: string): boolean {
  const steering = (text: string) =>
    text
      .split(/\r\n|\n|\r/)
      .filter((line) => CARGO_STEERING.test(line))
      .join("\n");
  return steering(before ?? "") !== steering(after);
}

/**
 * Sections that no tool runs. Dependencies run when they are installed, which asks separately; a section that is not
 * listed (scripts, husky, lint-staged, gitHooks, jest, packageManager, ...) may name what runs.
 */
const DESCRIPTIVE = words(
  "name displayName version description keywords author contributors maintainers license homepage bugs repository funding private publisher dependencies devDependencies peerDependencies peerDependenciesMeta optionalDependencies bundledDependencies bundleDependencies overrides resolutions engines os cpu type main module browser types typings typesVersions exports imports files directories man sideEffects browserslist publishConfig categories icon badges contributes activationEvents l10n extensionKind extensionDependencies capabilities",
);

/** The same of Composer. Scripts, plugins, autoloaded files and repositories of packages are not among them. */
const COMPOSER_DESCRIPTIVE = words(
  "name description version type keywords homepage readme time license authors support funding require require-dev conflict replace provide suggest minimum-stability prefer-stable abandoned non-feature-branches archive",
);

/**
 * Whether a new package.json differs from the old one in a section that may run something. True if one is unreadable.
 */
export function packageScriptsChanged(before: string | undefined, after: string): boolean {
  return sectionsChanged(DESCRIPTIVE, before, after);
}

/** Whether a section that is not among the `descriptive` ones differs. True if one of the files is unreadable. */
function sectionsChanged(
  descriptive: ReadonlySet<string>,
  before: string | undefined,
  after: string,
): boolean {
  const old = parsePackage(before ?? "{}");
  const now = parsePackage(after);
  if (!old || !now) return true;
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  return names.some(
    (name) => !descriptive.has(name) && JSON.stringify(old[name]) !== JSON.stringify(now[name]),
  );
}

function parsePackage(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
