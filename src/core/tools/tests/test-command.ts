/**
 * The project's own command that runs its tests, read from its manifests. Only what is certain counts. See `late-parts.ts` for what this
 * file must not import.
 */
import { basename, dirname, extname, join, relative, sep } from "node:path";
import { isRecord } from "../../assistant/record.ts";
import type { Files } from "../../ports/files.ts";
import type { Host } from "../../ports/host.ts";
import type { ShellKind } from "../../ports/shell.ts";
import { isInside } from "../../roots.ts";
import { shellWord } from "./shell-word.ts";

/** Bytes of a manifest that is read. */
const LONGEST_MANIFEST = 1_000_000;

export interface WantedTests {
  /** Absolute. A folder means all tests in it. */
  path: string;
  isFolder: boolean;
  /** Only tests of this name. */
  name?: string | undefined;
}

/** What of a folder's tests is to run. */
interface Selection {
  /** A file or a folder inside, relative to the folder, with `/`; "": all of it. */
  inside: string;
  isFolder: boolean;
  name: string | undefined;
}

/** A folder with a manifest. */
interface ManifestFolder {
  /** Relative to where commands run, with `/`; "": there. Absolute if it is outside. */
  shown: string;
  /** undefined: there is no such file, or it is no readable text. */
  text(name: string): Promise<string | undefined>;
  has(name: string): Promise<boolean>;
  /** Whether this folder or one above it, up to the root, has the file. */
  hasAbove(name: string): Promise<boolean>;
  word(text: string): string;
  isWindows: boolean;
}

/** How one kind of project runs its tests. */
interface TestRunner {
  /** What files of such tests end with. */
  files: RegExp;
  /** For the refusal: what it runs for all tests. */
  all: string;
  /** undefined: it cannot run just that. */
  command(selection: Selection): string | undefined;
}

type ManifestReader = (folder: ManifestFolder) => Promise<TestRunner | undefined>;

const READERS: readonly ManifestReader[] = [
  nodeTests,
  pythonTests,
  rustTests,
  goTests,
  mavenTests,
  gradleTests,
];

/** Why no command is certain; for the model. */
class Uncertain extends Error {}

/** The command that runs these tests from the folder in which commands run; `refusal`: why that is not certain, for the model. */
export async function testCommand(
  host: Pick<Host, "files" | "shell" | "workspace">,
  wanted: WantedTests,
): Promise<{ command: string } | { refusal: string }> {
  try {
    return { command: await certainCommand(host, wanted) };
  } catch (error) {
    if (error instanceof Uncertain) return { refusal: error.message };
    throw error;
  }
}

async function certainCommand(
  { files, shell, workspace }: Pick<Host, "files" | "shell" | "workspace">,
  wanted: WantedTests,
): Promise<string> {
  const root = workspace.roots.find(({ path }) => isInside(path, wanted.path))?.path;
  if (root === undefined || workspace.root === undefined)
    throw new Uncertain("These tests are outside of the project. Run them with execute_command.");
  const start = wanted.isFolder ? wanted.path : dirname(wanted.path);
  for (let at = start; ; at = dirname(at)) {
    const folder = manifestFolder(files, { at, root, from: workspace.root }, shell.kind);
    const runners = await runnersOf(folder);
    if (runners.length > 0) return chosenCommand(runners, wanted, slashed(relative(at, wanted.path)));
    if (at === root || !isInside(root, dirname(at))) break;
  }
  throw new Uncertain(
    "No manifest here tells how the tests run: neither a test script in a package.json, nor pytest, Cargo, Go, Maven or Gradle. Find out how they run, and use execute_command.",
  );
}

async function runnersOf(folder: ManifestFolder): Promise<TestRunner[]> {
  const found = await Promise.all(READERS.map((read) => read(folder)));
  return found.filter((runner) => runner !== undefined);
}

function chosenCommand(runners: readonly TestRunner[], wanted: WantedTests, inside: string): string {
  const fitting = wanted.isFolder ? runners : runners.filter(({ files }) => files.test(wanted.path));
  const [runner] = fitting.length > 0 ? fitting : runners;
  if (!runner || fitting.length > 1) {
    const all = runners.map(({ all: command }) => command).join(" or ");
    throw new Uncertain(`Several kinds of tests are here: ${all}. Name a file, or use execute_command.`);
  }
  const { isFolder, name } = wanted;
  if (name?.startsWith("-"))
    throw new Uncertain("The name of a test cannot begin with -: it would be an option.");
  const command = runner.command({ inside: inside.startsWith("-") ? `./${inside}` : inside, isFolder, name });
  if (command !== undefined) return command;
  throw new Uncertain(
    `The project runs its tests with \`${runner.all}\`, and how to run only these is not certain. Leave out ${name === undefined ? "path" : "name"}, or use execute_command.`,
  );
}

function manifestFolder(
  files: Files,
  { at, root, from }: { at: string; root: string; from: string },
  shell: ShellKind,
): ManifestFolder {
  const has = async (folder: string, name: string) =>
    (await files.stat(join(folder, name)).catch(() => undefined))?.kind === "file";
  return {
    shown: isInside(from, at) ? slashed(relative(from, at)) : at,
    async text(name) {
      const stat = await files.stat(join(at, name)).catch(() => undefined);
      if (stat?.kind !== "file" || stat.size > LONGEST_MANIFEST) return undefined;
      // An unreadable manifest tells nothing.
      return files.readText(join(at, name)).then(
        ({ text }) => text,
        () => undefined,
      );
    },
    has: (name) => has(at, name),
    async hasAbove(name) {
      for (let folder = at; ; folder = dirname(folder)) {
        if (await has(folder, name)) return true;
        if (folder === root || !isInside(root, dirname(folder))) return false;
      }
    },
    word(text) {
      const word = shellWord(text, shell);
      if (word === undefined)
        throw new Uncertain(`${JSON.stringify(text)} cannot be written as a word of a command of ${shell}.`);
      return word;
    },
    isWindows: shell === "powershell" || shell === "cmd",
  };
}

const slashed = (path: string): string => path.split(sep).join("/");

/** The words of a command line, without those that are empty. */
const line = (...words: readonly string[]): string => words.filter((word) => word !== "").join(" ");

/** Programs that take the files of tests, and what selects a name. A script that names files itself would run those, too. */
const SCRIPT =
  /^(?:(?:npx|cross-env|[A-Z_]+=\S+) +)*(vitest|jest|ava|node --test|playwright test|react-scripts test)((?: +(?:run|--?[\w-]+(?:=\S+)?))*)$/;
const NAME_OPTIONS: Readonly<Record<string, string>> = {
  vitest: "-t",
  jest: "-t",
  ava: "-m",
  "node --test": "--test-name-pattern",
  "playwright test": "-g",
  "react-scripts test": "-t",
};

async function nodeTests(folder: ManifestFolder): Promise<TestRunner | undefined> {
  const manifest = parsedJson(await folder.text("package.json"));
  if (!isRecord(manifest)) return undefined;
  const script = isRecord(manifest.scripts) ? manifest.scripts.test : undefined;
  if (typeof script !== "string" || script.trim() === "" || /no test specified/.test(script))
    return undefined;
  const manager = await packageManager(folder, manifest.packageManager);
  const [, program = "", options = ""] = SCRIPT.exec(script.trim().replace(/\s+/g, " ")) ?? [];
  const ends = endsAlone(program, options);
  const run = (args: string) =>
    line(
      MANAGERS[manager](folder.shown === "" ? "" : folder.word(folder.shown)),
      args === "" || manager !== "npm" ? "" : "--",
      args,
    );
  return {
    files: /\.[cm]?[jt]sx?$/,
    all: run(ends),
    command({ inside, name }) {
      if (inside === "" && name === undefined) return run(ends);
      const option = NAME_OPTIONS[program];
      if (option === undefined) return undefined;
      const named =
        name === undefined ? "" : `${option}${option.startsWith("--") ? "=" : " "}${folder.word(name)}`;
      return run(line(ends, inside === "" ? "" : folder.word(inside), named));
    },
  };
}

/** What makes a program end that would otherwise wait for changes. */
function endsAlone(program: string, options: string): string {
  if (program === "vitest" && !/ (?:run|--run|--watch=false)\b/.test(options)) return "--run";
  return program === "react-scripts test" ? "--watchAll=false" : "";
}

type PackageManager = "npm" | "pnpm" | "yarn" | "bun";

/** How each runs the script of a folder; "": of this one. */
const MANAGERS: Readonly<Record<PackageManager, (folder: string) => string>> = {
  npm: (folder) => (folder === "" ? "npm test" : `npm --prefix ${folder} test`),
  pnpm: (folder) => (folder === "" ? "pnpm test" : `pnpm -C ${folder} test`),
  yarn: (folder) => (folder === "" ? "yarn test" : `yarn --cwd ${folder} test`),
  bun: (folder) => (folder === "" ? "bun run test" : `bun run --cwd ${folder} test`),
};

async function packageManager(folder: ManifestFolder, named: unknown): Promise<PackageManager> {
  const [, manager] = /^(npm|pnpm|yarn|bun)@/.exec(typeof named === "string" ? named : "") ?? [];
  if (manager === "npm" || manager === "pnpm" || manager === "yarn" || manager === "bun") return manager;
  if (await folder.hasAbove("pnpm-lock.yaml")) return "pnpm";
  if (await folder.hasAbove("yarn.lock")) return "yarn";
  return (await folder.hasAbove("bun.lock")) || (await folder.hasAbove("bun.lockb")) ? "bun" : "npm";
}

/** Files that tell that pytest is used, and the texts that do. */
const PYTEST: readonly (readonly [file: string, text: RegExp])[] = [
  ["pytest.ini", /^/],
  ["conftest.py", /^/],
  ["pyproject.toml", /\bpytest\b/],
  ["setup.cfg", /\bpytest\b/],
  ["tox.ini", /\bpytest\b/],
  ["requirements.txt", /^pytest\b/m],
  ["requirements-dev.txt", /^pytest\b/m],
];

async function pythonTests(folder: ManifestFolder): Promise<TestRunner | undefined> {
  const texts = await Promise.all(PYTEST.map(([file]) => folder.text(file)));
  const isUsed = PYTEST.some(([, pattern], index) => {
    const text = texts[index];
    return text !== undefined && pattern.test(text);
  });
  if (!isUsed) return undefined;
  const program = await pytest(folder);
  const below = (inside: string) => [folder.shown, inside].filter((part) => part !== "").join("/");
  const run = (target: string, ...more: readonly string[]) =>
    line(program, target === "" ? "" : folder.word(target), ...more);
  return {
    files: /\.py$/,
    all: run(below("")),
    command({ inside, isFolder, name }) {
      if (name === undefined) return run(below(inside));
      if (!isFolder) return run(`${below(inside)}::${name.replaceAll(" > ", "::")}`);
      return /^\w+$/.test(name) ? run(below(inside), `-k ${name}`) : undefined;
    },
  };
}

async function pytest(folder: ManifestFolder): Promise<string> {
  if (await folder.hasAbove("uv.lock")) return "uv run pytest";
  if (await folder.hasAbove("poetry.lock")) return "poetry run pytest";
  if (await folder.hasAbove("pdm.lock")) return "pdm run pytest";
  const python = folder.isWindows ? "Scripts/python.exe" : "bin/python";
  for (const environment of [".venv", "venv"]) {
    const path = `${environment}/${python}`;
    const shown = folder.shown === "" ? path : `${folder.shown}/${path}`;
    if (await folder.has(path)) return `${folder.word(shown)} -m pytest`;
  }
  return "pytest";
}

async function rustTests(folder: ManifestFolder): Promise<TestRunner | undefined> {
  const manifest = await folder.text("Cargo.toml");
  if (manifest === undefined) return undefined;
  const isWorkspace = /^\[workspace\]/m.test(manifest) && !/^\[package\]/m.test(manifest);
  const where = folder.shown === "" ? "" : `--manifest-path ${folder.word(`${folder.shown}/Cargo.toml`)}`;
  const run = (...more: readonly string[]) =>
    line("cargo test", where, isWorkspace ? "--workspace" : "", ...more);
  return {
    files: /\.rs$/,
    all: run(),
    command({ inside, name }) {
      const named = name === undefined ? "" : folder.word(name);
      if (inside === "") return run(named);
      const [, target] = /^tests\/([^/]+)\.rs$/.exec(inside) ?? [];
      return target === undefined || isWorkspace ? undefined : run("--test", folder.word(target), named);
    },
  };
}

async function goTests(folder: ManifestFolder): Promise<TestRunner | undefined> {
  if (!(await folder.has("go.mod"))) return undefined;
  const program = folder.shown === "" ? "go test" : `go -C ${folder.word(folder.shown)} test`;
  return {
    files: /\.go$/,
    all: `${program} ./...`,
    command({ inside, isFolder, name }) {
      // Go runs packages, which are folders.
      const folderOf = isFolder ? inside : slashed(dirname(inside));
      const at = folderOf === "" || folderOf === "." ? "." : `./${folderOf}`;
      const exact = name
        ?.split("/")
        .map((part) => `^${part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replaceAll(" ", "_")}$`);
      return line(
        program,
        exact ? `-run ${folder.word(exact.join("/"))}` : "",
        folder.word(isFolder ? `${at}/...` : at),
      );
    },
  };
}

async function mavenTests(folder: ManifestFolder): Promise<TestRunner | undefined> {
  if (!(await folder.has("pom.xml"))) return undefined;
  const own = folder.isWindows ? "mvnw.cmd" : "mvnw";
  const hasOwn = folder.shown === "" && (await folder.has(own));
  const program = hasOwn ? (folder.isWindows ? ".\\mvnw.cmd" : "./mvnw") : "mvn";
  const where = folder.shown === "" ? "" : `-f ${folder.word(`${folder.shown}/pom.xml`)}`;
  const run = (more = "") => line(program, where, "test", more);
  return {
    files: /\.java$/,
    all: run(),
    command({ inside, isFolder, name }) {
      if (inside === "") return run(name === undefined ? "" : folder.word(`-Dtest=${name}`));
      if (isFolder) return undefined;
      const method = name === undefined ? "" : `#${name}`;
      return run(folder.word(`-Dtest=${basename(inside, extname(inside))}${method}`));
    },
  };
}

/** Plugins with which a build has the task `test`. */
const GRADLE_TESTS = /\b(?:java(?:-library)?|application|groovy|scala)\b|kotlin[.("]+jvm/;

async function gradleTests(folder: ManifestFolder): Promise<TestRunner | undefined> {
  const build = (await folder.text("build.gradle")) ?? (await folder.text("build.gradle.kts"));
  if (build === undefined || !GRADLE_TESTS.test(build)) return undefined;
  // A wrapper is at the top of the project, which is where commands run.
  const own = folder.isWindows ? "gradlew.bat" : "gradlew";
  if (!(await folder.hasAbove(own))) return undefined;
  const program = folder.isWindows ? ".\\gradlew.bat" : "./gradlew";
  const where = folder.shown === "" ? "" : `-p ${folder.word(folder.shown)}`;
  const run = (more = "") => line(program, where, "test", more);
  return {
    files: /\.(?:java|kt|groovy|scala)$/,
    all: run(),
    command({ inside, isFolder, name }) {
      if (inside === "") return run(name === undefined ? "" : `--tests ${folder.word(name)}`);
      if (isFolder) return undefined;
      const method = name === undefined ? "" : `.${name}`;
      return run(`--tests ${folder.word(`*${basename(inside, extname(inside))}${method}`)}`);
    },
  };
}

function parsedJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    // A manifest that is not JSON tells nothing.
    return undefined;
  }
}
