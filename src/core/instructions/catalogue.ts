/**
 * The skills and commands of a project and its user: which of them count, and what is wrong with the others. Of an untrusted workspace
 * none do.
 */
import type { DefinitionItem, DefinitionProblem } from "../../shared/definition-list.ts";
import type { Reason } from "../../shared/reason.ts";
import type { Settings } from "../../shared/settings.ts";
import { isReservedCommand } from "../../shared/words/command-words.ts";
import { COMMAND_FOLDERS, type DefinitionFolder, SKILL_FOLDERS } from "../instruction-kinds.ts";
import type { Host } from "../ports/host.ts";
import { type Command, commandOf } from "./commands.ts";
import type { FileDefinition } from "./definition-fields.ts";
import {
  type DefinitionFile,
  type DefinitionUnread,
  definitionFolders,
  readDefinitions,
} from "./definition-files.ts";
import { readFields } from "./front-matter.ts";
import { ProjectFiles } from "./rule-files.ts";
import { concerns } from "./rule-matches.ts";
import { type Skill, skillOf } from "./skills.ts";

/** The files that the user switched off. */
export type CatalogueSettings = Pick<Settings["context"], "rulesOff">;

/** Whether the user switched a file off, or has not seen yet that it is there. */
export type IsOff = (file: DefinitionFile) => boolean;

export function switchedOff({ unseen }: Pick<Host, "unseen">, { rulesOff }: CatalogueSettings): IsOff {
  const off = new Set(rulesOff);
  return ({ name, path }) => off.has(name) || (unseen?.includes(path) ?? false);
}

/** What a file defines. */
type Definition = FileDefinition & { kind: DefinitionItem["kind"] };

/** A file with what was made of it. */
export interface JudgedDefinition<D extends Definition = Skill | Command> {
  kind: D["kind"];
  file: DefinitionFile;
  /** Of a file that could not be read, it has only a name. */
  definition: D;
  state: DefinitionItem["state"];
  /** The fault of an unusable file is the first one. */
  problems: DefinitionProblem[];
}

type Read<D extends Definition> = (
  file: DefinitionFile,
  fields: Readonly<Record<string, unknown>>,
  text: string,
) => D;

/** The skills that count, sorted by name. */
export async function readSkills(
  host: Host,
  settings: CatalogueSettings,
  signal: AbortSignal,
): Promise<Skill[]> {
  const judged = await judgeSkills(host, settings, signal, {});
  return judged.flatMap(({ definition, state }) => (state === "on" ? [definition] : []));
}

/**
 * What the user may call, with the skills first. No name occurs twice, and none is that of a built-in command. Those that cannot be used
 * are last.
 */
export async function readCallable(
  host: Host,
  settings: CatalogueSettings,
  signal: AbortSignal,
): Promise<(Skill | Command)[]> {
  const judged = await judgeAll(host, settings, signal, {});
  const callable = judged.flatMap(({ definition, state }) =>
    state === "on" && definition.byUser ? [definition] : [],
  );
  const names = new Set(callable.map(({ name }) => name));
  for (const { definition, state } of judged) {
    if (state !== "unusable" || definition.name === "" || names.has(definition.name)) continue;
    if (isReservedCommand(definition.name)) continue;
    names.add(definition.name);
    callable.push(definition);
  }
  return callable;
}

/** All skills and commands, also those that do not count. */
export function surveyCatalogue(
  host: Host,
  settings: CatalogueSettings,
  signal: AbortSignal,
): Promise<JudgedDefinition[]> {
  return judgeAll(host, settings, signal, { untrusted: true });
}

/** The real paths of the folders that contain skills, and of plugins; their files may be read without a question. */
export function skillFolders(
  host: Parameters<typeof definitionFolders>[0] & Pick<Host, "plugins">,
): Promise<string[]> {
  return Promise.all([definitionFolders(host, SKILL_FOLDERS), host.plugins?.active() ?? []]).then(
    ([folders, plugins]) => [...folders, ...plugins.map(({ root }) => root)],
  );
}

async function judgeAll(
  host: Host,
  settings: CatalogueSettings,
  signal: AbortSignal,
  options: { untrusted?: boolean },
): Promise<JudgedDefinition[]> {
  const [skills, commands] = await Promise.all([
    judgeSkills(host, settings, signal, options),
    judgeFiles(host, "command", COMMAND_FOLDERS, commandOf, settings, options),
  ]);
  const all = [...skills, ...commands];
  shadow(all.filter(({ definition }) => definition.byUser));
  return all;
}

async function judgeSkills(
  host: Host,
  settings: CatalogueSettings,
  signal: AbortSignal,
  options: { untrusted?: boolean },
): Promise<JudgedDefinition<Skill>[]> {
  const judged = await judgeFiles(host, "skill", SKILL_FOLDERS, skillOf, settings, options);
  shadow(judged);
  await matchPaths(host, judged, signal);
  return judged.sort(({ definition: { name: a } }, { definition: { name: b } }) =>
    a < b ? -1 : a > b ? 1 : 0,
  );
}

async function judgeFiles<D extends Definition>(
  host: Host,
  kind: D["kind"],
  folders: readonly DefinitionFolder[],
  read: Read<D>,
  settings: CatalogueSettings,
  options: { untrusted?: boolean },
): Promise<JudgedDefinition<D>[]> {
  const inPlugins = kind === "skill" ? "skills" : "commands";
  const files = await readDefinitions(host, folders, { ...options, inPlugins });
  const isOff = switchedOff(host, settings);
  return Promise.all(files.map((file) => judgeFile(file, kind, read, isOff)));
}

export async function judgeFile<D extends Definition>(
  file: DefinitionFile,
  kind: D["kind"],
  read: Read<D>,
  isOff: IsOff,
): Promise<JudgedDefinition<D>> {
  const { content } = file;
  if ("fault" in content) return unreadFile(kind, file, read(file, {}, ""), content);
  const front = await readFields(content.text);
  if ("why" in front) return faulty(kind, file, read(file, {}, ""), problemOf("front-matter", front.why));
  const judged = judgedAs(kind, file, read(file, front.fields, front.text), isOff);
  if (front.byLine) judged.problems.unshift({ code: "read-by-line", value: "" });
  const { name, body } = judged.definition;
  if (name === "") markUnusable(judged, { code: "hidden-name", value: "" });
  else if (body === "") markUnusable(judged, { code: "empty", value: "" });
  return judged;
}

/** A file whose text could not be read. */
export function unreadFile<D extends Definition>(
  kind: D["kind"],
  file: DefinitionFile,
  definition: D,
  { fault, why }: DefinitionUnread,
): JudgedDefinition<D> {
  if (fault === "untrusted") return { kind, file, definition, state: "untrusted", problems: [] };
  return faulty(kind, file, definition, problemOf(fault, why));
}

export function judgedAs<D extends Definition>(
  kind: D["kind"],
  file: DefinitionFile,
  definition: D,
  isOff: IsOff,
): JudgedDefinition<D> {
  const state = isOff(file) ? "off" : "on";
  return { kind, file, definition, state, problems: [...definition.problems] };
}

function problemOf(code: DefinitionProblem["code"], why: Reason | undefined): DefinitionProblem {
  const detail = why?.values[0];
  return { code, value: why?.code ?? "", ...(detail === undefined ? {} : { detail }) };
}

export function faulty<D extends Definition>(
  kind: D["kind"],
  file: DefinitionFile,
  definition: D,
  problem: DefinitionProblem,
): JudgedDefinition<D> {
  const judged: JudgedDefinition<D> = { kind, file, definition, state: "unusable", problems: [] };
  markUnusable(judged, problem);
  return judged;
}

export function markUnusable(
  judged: Pick<JudgedDefinition<Definition>, "state" | "problems" | "definition">,
  problem: DefinitionProblem,
): void {
  judged.state = "unusable";
  judged.problems.unshift(problem);
  judged.definition.fault = problem;
}

/** Of several with the same name, the first one counts. */
function shadow(judged: readonly JudgedDefinition[]): void {
  const first = new Map<string, string>();
  for (const each of judged) {
    if (each.state !== "on") continue;
    const { name, kind } = each.definition;
    // The model can load a skill of such a name, but the user cannot call it.
    if (kind === "skill" && isReservedCommand(name)) each.definition.byUser = false;
    const other = kind === "command" && isReservedCommand(name) ? `/${name}` : first.get(name);
    if (other === undefined) first.set(name, each.file.name);
    else markUnusable(each, { code: "shadowed", value: other });
  }
}

/** Skills for files that the project does not have are left to the user. */
async function matchPaths(
  host: Host,
  judged: readonly JudgedDefinition<Skill>[],
  signal: AbortSignal,
): Promise<void> {
  const { root, trusted } = host.workspace;
  const conditional = judged.filter(({ state, definition }) => state === "on" && definition.paths.length > 0);
  if (conditional.length === 0) return;
  const listed = root === undefined || !trusted ? [] : await new ProjectFiles(host, root).all(signal);
  for (const { definition: skill, problems } of conditional) {
    if (concerns(skill.paths, listed)) continue;
    skill.byModel = false;
    problems.push({ code: "no-match", value: skill.paths.join(", ") });
  }
}
