/** Tasks that fit a folder, derived from the files in its root: cheap, without a model, and without running anything. */
import { readdir, readFile } from "node:fs/promises";
import * as path from "node:path";
import type { Example } from "../../shared/welcome-protocol.ts";
import * as z from "../../shared/zod.ts";

/** Bytes; a larger package.json is not read. */
const LARGEST_MANIFEST = 200_000;
const MOST_EXAMPLES = 4;
const SOURCE = /\.(?:[cm]?[jt]sx?|py|rs|go|java|kt|rb|php|cs|cpp|cc|c|swift|vue|svelte)$/;
const TEST = /(?:^|\/)(?:tests?|spec|__tests__)\/|[._-](?:test|spec)\.\w+$|(?:^|\/)test_\w+\.py$/;
/** The command that runs the tests of a project with this file in its root. */
const TEST_COMMANDS: readonly [RegExp, string][] = [
  [/^(?:pyproject\.toml|pytest\.ini|setup\.py|tox\.ini)$/, "pytest"],
  [/^Cargo\.toml$/, "cargo test"],
  [/^go\.mod$/, "go test ./..."],
  [/^pom\.xml$/, "mvn test"],
  [/^gradlew$/, "./gradlew test"],
  [/\.(?:sln|csproj)$/, "dotnet test"],
];
/** Package managers by their lock file. The first one whose file exists is used. */
const MANAGERS: readonly [string, string][] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
];

const manifestSchema = z.object({ scripts: z.optional(z.record(z.string(), z.unknown())) });

/** `files`: some files of the folder, relative with `/`, the user's recent ones first. Never rejects: an unreadable folder is empty. */
export async function folderExamples(root: string, files: readonly string[]): Promise<Example[]> {
  const names = await readdir(root).catch((): string[] => []);
  const visible = names.filter((name) => !name.startsWith("."));
  if (visible.length === 0) return [{ code: "start", value: "" }];
  const scripts = names.includes("package.json") ? await scriptsOf(path.join(root, "package.json")) : [];
  const manager = MANAGERS.find(([lock]) => names.includes(lock))?.[1] ?? "npm";
  const tests = scripts.includes("test")
    ? `${manager} test`
    : TEST_COMMANDS.find(([marker]) => names.some((name) => marker.test(name)))?.[1];
  const source = files.find((file) => SOURCE.test(file) && !TEST.test(file));
  const hasTests = files.some((file) => TEST.test(file));
  const examples: (Example | undefined)[] = [
    { code: "explain", value: "" },
    tests === undefined ? undefined : { code: "fix-tests", value: tests },
    scripts.includes("lint") ? { code: "fix-lint", value: `${manager} run lint` } : undefined,
    source !== undefined && !hasTests ? { code: "write-tests", value: source } : undefined,
    source === undefined ? undefined : { code: "find-bug", value: source },
    names.some((name) => /^readme/i.test(name)) ? undefined : { code: "write-readme", value: "" },
  ];
  return examples.filter((example) => example !== undefined).slice(0, MOST_EXAMPLES);
}

/** Names of the scripts; none if the file is not a package's. */
async function scriptsOf(file: string): Promise<string[]> {
  try {
    const text = await readFile(file, "utf8");
    if (text.length > LARGEST_MANIFEST) return [];
    const parsed = manifestSchema.safeParse(JSON.parse(text));
    return parsed.success ? Object.keys(parsed.data.scripts ?? {}) : [];
  } catch {
    // Not JSON, or gone: the folder has other examples.
    return [];
  }
}
