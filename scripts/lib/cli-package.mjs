// The terminal host as a package of npm. Import only after the packages are installed.
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { COPIES } from "../../esbuild.mjs";
import { MAPS, TERMINAL_PARTS } from "./build.mjs";
import { npmEnvironment, ROOT } from "./dependencies.mjs";
import { say, step } from "./log.mjs";
import { NOTICES } from "./notices.mjs";
import { run } from "./processes.mjs";

const README = `# Nekode in the terminal

Nekode is an agent that reads, changes and runs the code of a project with a model of your choice: one on this computer, or one of a
service. It needs Node 20 or later.

    nekode --help
    nekode --base-url http://localhost:11434/v1 --model NAME "Explain what this project does"

\`nekode acp\` runs it in other editors, \`nekode batch\` and \`nekode worker\` run many tasks. \`nekode completion --help\` says how your shell
completes its commands and options, and \`man nekode\` describes them all.

Searching needs ripgrep. npm installs it for your system as an optional dependency. If it could not, Nekode uses the \`rg\` on PATH.
`;

/** The manual page in the package. */
const MANUAL = "man/nekode.1";

/** The files of the package that the build made, relative to the repository's folder. */
const BUILT = [
  ...TERMINAL_PARTS.map((name) => `dist/${name}`),
  ...COPIES.map(([, to = ""]) => to),
  MAPS,
  NOTICES,
];

/**
 * Packs what was built into nekode-cli-VERSION.tgz. No step of its installation builds or runs anything.
 * @param {string} [folder] where the package is written
 * @returns {Promise<string>} the package's path
 */
export async function packageCli(folder = path.join(ROOT, "dist")) {
  const stage = await mkdtemp(path.join(tmpdir(), "nekode-cli-package-"));
  try {
    for (const file of [...BUILT, "LICENSE"]) await cp(path.join(ROOT, file), path.join(stage, file));
    const manifest = await manifestOf();
    await writeFile(path.join(stage, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    await writeFile(path.join(stage, "README.md"), README);
    const cli = path.join(stage, "dist/cli.js");
    const { output: page } = await run(process.execPath, [cli, "completion", "man"]);
    await mkdir(path.join(stage, "man"));
    await writeFile(path.join(stage, MANUAL), page);
    await mkdir(folder, { recursive: true });
    await step("Packing the terminal host", () =>
      run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], {
        cwd: stage,
        env: npmEnvironment(),
      }),
    );
    const file = path.join(folder, `${manifest.name}-${manifest.version}.tgz`);
    say(`${path.relative(process.cwd(), file)}: ${((await stat(file)).size / 1e6).toFixed(2)} MB`);
    return file;
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/** The package's manifest. ripgrep is a package for each system, of which npm installs the one that fits. */
async function manifestOf() {
  const { version, license, engines, keywords } = await json("package.json");
  const { optionalDependencies } = await json("node_modules/@vscode/ripgrep/package.json");
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env;
  return {
    name: "nekode-cli",
    version,
    description: "A coding agent for the terminal and other editors, with models of your choice",
    license,
    keywords,
    // npm's record of where a package was built must name the repository that the package names.
    ...(GITHUB_SERVER_URL && GITHUB_REPOSITORY
      ? { repository: { type: "git", url: `git+${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}.git` } }
      : {}),
    engines: { node: engines.node },
    bin: { nekode: "dist/cli.js" },
    // npm links a list, and nothing for a text.
    man: [MANUAL],
    files: ["dist", "man"],
    optionalDependencies,
  };
}

/** @param {string} file */
const json = async (file) => JSON.parse(await readFile(path.join(ROOT, file), "utf8"));
