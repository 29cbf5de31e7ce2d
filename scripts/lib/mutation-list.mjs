// The list of faults in test/mutations, and what is wrong with it.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { PROPERTIES } from "../../test/mutations/properties.mjs";
import { ROOT } from "./dependencies.mjs";

/** @typedef {import("../../test/mutations/properties.mjs").Mutation} Mutation */

/** The fewest faults for each property. */
const EACH_PROPERTY = 3;

const PROJECTS = ["unit", "system", "cli", "browser", "e2e"];

/** All faults, file by file. @returns {Promise<Mutation[]>} */
export async function loadMutations() {
  const folder = path.join(ROOT, "test/mutations");
  const files = readdirSync(folder).filter((name) => name.endsWith(".mjs") && name !== "properties.mjs");
  const lists = await Promise.all(
    files.sort().map(async (name) => {
      /** @type {{ mutations: Mutation[] }} */
      const { mutations } = await import(/* @vite-ignore */ pathToFileURL(path.join(folder, name)).href);
      return mutations;
    }),
  );
  return lists.flat();
}

/** The folders of the table of rooms in CONTRIBUTING.md. */
export function rooms() {
  const text = readFileSync(path.join(ROOT, "CONTRIBUTING.md"), "utf8");
  return [...text.matchAll(/^\| `([^`]+)` \| \d+ \|/gm)].map(([, folder = ""]) => folder);
}

/** The room of a file: the innermost folder of the table. @param {string} file */
export const roomOf = (file) =>
  rooms()
    .filter((room) => file.startsWith(`${room}/`))
    .sort((one, other) => other.length - one.length)[0] ?? "";

/** The test of an entry such as "unit test/unit/a.test.ts". @param {string} test */
export function readTest(test) {
  const [project = "", file = ""] = test.split(" ");
  return { project, file };
}

/** What is wrong with single entries, a line each. @param {readonly Mutation[]} mutations @returns {string[]} */
export function wrongEntries(mutations) {
  /** @type {Set<string>} */
  const names = new Set();
  return mutations.flatMap((mutation) => {
    const wrong = [...wrongPlace(mutation), ...wrongTests(mutation)];
    if (names.has(mutation.name)) wrong.push("another one has this name");
    names.add(mutation.name);
    const { property, file } = mutation;
    if (typeof property === "number" ? !(property in PROPERTIES) : property !== roomOf(file))
      wrong.push(`${property} is neither a property nor the room of ${file}`);
    return wrong.map((what) => `${mutation.name}: ${what}`);
  });
}

/** @param {Mutation} mutation @returns {string[]} */
function wrongPlace({ file, find, replace }) {
  if (!existsSync(path.join(ROOT, file))) return [`there is no ${file}`];
  const places = readFileSync(path.join(ROOT, file), "utf8").split(find).length - 1;
  const wrong = places === 1 ? [] : [`${file} contains the text to find ${places} times`];
  return find === replace ? [...wrong, "it changes nothing"] : wrong;
}

/** @param {Mutation} mutation @returns {string[]} */
function wrongTests({ tests }) {
  if (tests.length === 0) return ["no test is named"];
  return tests.flatMap((test) => {
    const { project, file } = readTest(test);
    if (!PROJECTS.includes(project)) return [`"${test}" names no project of vitest`];
    return existsSync(path.join(ROOT, file)) ? [] : [`there is no ${file}`];
  });
}

/** Properties that have too few faults, and rooms that have none. @param {readonly Mutation[]} mutations @returns {string[]} */
export function gaps(mutations) {
  const properties = Object.entries(PROPERTIES).flatMap(([number, title]) => {
    const count = mutations.filter(({ property }) => property === Number(number)).length;
    return count < EACH_PROPERTY ? [`property ${number} (${title}) has ${count} of ${EACH_PROPERTY}`] : [];
  });
  const touched = new Set(mutations.map(({ file }) => roomOf(file)));
  return [...properties, ...rooms().flatMap((room) => (touched.has(room) ? [] : [`${room} has none`]))];
}
