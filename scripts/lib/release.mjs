// What a release needs besides its files: a tag that fits the version, its notes, and proof that what was packed runs.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { npmEnvironment, ROOT } from "./dependencies.mjs";
import { say, step, Trouble } from "./log.mjs";
import { run } from "./processes.mjs";

/**
 * The section of a version in the changelog, without its heading. Throws a Trouble if there is none or it is empty.
 * @param {string} changelog
 * @param {string} version
 */
export function notesOf(changelog, version) {
  const sections = changelog.split(/^## /m).slice(1);
  const [heading = "", ...lines] =
    sections
      .find((section) => new RegExp(`^\\[?v?${version.replaceAll(".", "\\.")}(?![\\w.-])`).test(section))
      ?.split("\n") ?? [];
  const notes = lines.join("\n").trim();
  if (heading === "" || notes === "") throw new Trouble(`CHANGELOG.md has no section about ${version}.`);
  return `${notes}\n`;
}

/**
 * Writes dist/RELEASE-NOTES.md. Throws a Trouble if the tag is not that of the version.
 * @param {string | undefined} tag undefined: it is not checked
 */
export async function writeNotes(tag, file = path.join(ROOT, "dist/RELEASE-NOTES.md")) {
  const version = await versionOf();
  if (tag !== undefined && tag !== `v${version}`)
    throw new Trouble(`The tag ${tag} is not that of version ${version}, which is v${version}.`);
  await writeFile(file, notesOf(await readFile(path.join(ROOT, "CHANGELOG.md"), "utf8"), version));
  say(`${path.relative(process.cwd(), file)}: the notes of ${version}`);
}

/** Installs the packed terminal host into a folder of its own and asks it for its version. */
export async function smoke(folder = path.join(ROOT, "dist")) {
  const version = await versionOf();
  const file = path.join(folder, `nekode-cli-${version}.tgz`);
  const scratch = await mkdtemp(path.join(tmpdir(), "nekode-smoke-"));
  try {
    const options = { cwd: scratch, env: npmEnvironment() };
    const args = ["install", "--prefix", scratch, "--no-save", "--no-audit", "--no-fund", file];
    await step(`Installing ${path.basename(file)}`, () => run("npm", args, options));
    const program = path.join(scratch, "node_modules/nekode-cli/dist/cli.js");
    const { output } = await run(process.execPath, [program, "--version"], options);
    if (output.trim() !== version)
      throw new Trouble(`nekode --version printed ${output.trim()}, not ${version}.`);
    await run(process.execPath, [program, "doctor", "--report", "--data-dir", scratch], options);
    say(`nekode ${version} runs on Node ${process.versions.node}`);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function versionOf() {
  const { version } = JSON.parse(await readFile(path.join(ROOT, "package.json"), "utf8"));
  return /** @type {string} */ (version);
}
