/**
 * Options that an entry of several words covers without containing them: they select or report, and do not run or load
 * anything, write to other places, or read other files.
 */
import { programOf } from "./runners.ts";

interface Covered {
  /** Options without a value, or with their value after `=` or `:`. */
  alone: RegExp;
  /** Options whose value is the next word, which must be plain. */
  valued?: RegExp;
}

const TESTS: Covered = {
  alone:
    /^(?:--(?:run|ci|silent|verbose|bail(?:=\d+)?|runInBand|passWithNoTests|no-coverage|watch=false|watchAll=false|no-watch|no-color|colors?|no-cache|dry-run|fail-fast|forbid-only|reporter=(?:dot|verbose|default|basic|tap|spec|json)|reporters=default)|-i|-b)$/,
  valued: /^(?:-t|-g|--testNamePattern|--grep|--project|--retry|--testTimeout|--timeout|--maxWorkers)$/,
};
const GRADLE: Covered = {
  alone:
    /^(?:-q|-i|-B|-ntp|--(?:no-daemon|offline|stacktrace|info|warn|quiet|parallel|continue|no-transfer-progress|batch-mode|console=(?:plain|auto|rich|verbose))|-DskipTests(?:=true)?)$/,
};

const COVERED = new Map<string, Covered>([
  ["mkdir", { alone: /^(?:-[pv]+|--(?:parents|verbose))$/ }],
  [
    "dotnet",
    {
      alone:
        /^(?:--?(?:nologo|no-restore|no-build|no-incremental|no-dependencies|list-tests|verify-no-changes)|-(?:c|v|f):\w+)$/,
      valued: /^(?:-c|--configuration|-v|--verbosity|-f|--framework|--filter)$/,
    },
  ],
  ["vitest", TESTS],
  ["jest", TESTS],
  ["mocha", TESTS],
  ["playwright", TESTS],
  ["gradle", GRADLE],
  ["gradlew", GRADLE],
  ["mvn", GRADLE],
  ["mvnw", GRADLE],
  ["prettier", { alone: /^(?:-[cl]|--(?:check|list-different|no-color|ignore-unknown))$/ }],
  ["biome", { alone: /^--(?:no-errors-on-unmatched|diagnostic-level=\w+|colors=\w+|max-diagnostics=\d+)$/ }],
  [
    "ruff",
    {
      alone: /^--(?:no-fix|no-cache|statistics|diff|check|output-format=\w+|select=[\w,]+|ignore=[\w,]+)$/,
      valued: /^--(?:select|ignore|output-format)$/,
    },
  ],
  ["black", { alone: /^--(?:check|diff|quiet|verbose|color|no-color)$/ }],
  ["mypy", { alone: /^--(?:strict|ignore-missing-imports|pretty|no-error-summary|show-error-codes)$/ }],
  ["flake8", { alone: /^--(?:count|statistics|show-source|max-line-length=\d+)$/ }],
  ["ctest", { alone: /^(?:-V|-VV|-N|-j\d*|--output-on-failure|--stop-on-failure)$/, valued: /^-[RECj]$/ }],
  ["ninja", { alone: /^-(?:v|n|[jk]\d+)$/, valued: /^-[jk]$/ }],
  ["cmake", { alone: /^(?:-j\d*|--parallel|--verbose)$/, valued: /^(?:--config|-j)$/ }],
  ["swift", { alone: /^--(?:parallel|skip-build)$/, valued: /^(?:-c|--configuration|--filter)$/ }],
  ["phpunit", { alone: /^--(?:testdox|colors(?:=\w+)?|stop-on-failure)$/, valued: /^--(?:filter|group)$/ }],
  [
    "rspec",
    { alone: /^(?:-f[dp]|--(?:fail-fast|color|no-color|profile))$/, valued: /^(?:-e|--example|--tag)$/ },
  ],
  ["mix", { alone: /^--(?:trace|stale|failed|warnings-as-errors)$/, valued: /^--seed$/ }],
  ["terraform", { alone: /^-(?:no-color|json|check|diff|recursive)$/ }],
]);

/** Whether such options are known for this tool. */
export function hasOptions(name: string): boolean {
  return name !== "mkdir" && COVERED.has(programOf(name));
}

/** Whether the word after this option is known to be its value. */
export function takesValue(name: string, option: string): boolean {
  return COVERED.get(programOf(name))?.valued?.test(option) ?? false;
}

/** A value that is neither a path to another place nor an option. */
const PLAIN_VALUE = /^(?!-)[^/\\]+$/;

/** Whether an entry of several words covers this option and the word after it. */
export function coversOption(
  name: string,
  entry: readonly string[],
  option: string,
  next: string | undefined,
): boolean {
  const covered =
    entry.length > 1 || /^(?:mkdir|gradlew|mvnw)$/.test(programOf(name))
      ? COVERED.get(programOf(name))
      : undefined;
  if (!covered) return false;
  if (covered.alone.test(option)) return true;
  return covered.valued?.test(option) === true && next !== undefined && PLAIN_VALUE.test(next);
}
