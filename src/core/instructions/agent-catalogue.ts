/** The agents of a project and its user: which of them count, and what is wrong with the others. Of an untrusted workspace none do. */
import type { DefinitionProblem } from "../../shared/definition-list.ts";
import * as z from "../../shared/zod.ts";
import { AGENT_FOLDERS } from "../instruction-kinds.ts";
import type { Host } from "../ports/host.ts";
import { type Agent, agentOf, agentOfMode } from "./agents.ts";
import { BUILT_IN_AGENTS } from "./built-in-agents.ts";
import {
  type CatalogueSettings,
  faulty,
  type IsOff,
  type JudgedDefinition,
  judgedAs,
  judgeFile,
  markUnusable,
  switchedOff,
  unreadFile,
} from "./catalogue.ts";
import { type DefinitionFile, readDefinitions } from "./definition-files.ts";
import { readYamlFile } from "./front-matter.ts";

export type JudgedAgent = JudgedDefinition<Agent>;

/** The two modes, which the user chooses where they choose an agent. */
export const MODE_NAMES: readonly string[] = ["plan", "act"];

/** Modes of one file. */
const MOST_MODES = 100;
/** Problems with which an agent cannot be used. */
const FAULTS: ReadonlySet<DefinitionProblem["code"]> = new Set(["documentation", "no-tools"]);

/** The agents that count: of the project, of the user, then those that come with the product and whose names are free. */
export async function readAgents(host: Host, settings: CatalogueSettings): Promise<Agent[]> {
  const agents = await readOwnAgents(host, settings);
  const names = new Set(agents.map(({ name }) => name.toLowerCase()));
  return [...agents, ...BUILT_IN_AGENTS.filter(({ name }) => !names.has(name))];
}

/** The agents of files that count. */
export async function readOwnAgents(host: Host, settings: CatalogueSettings): Promise<Agent[]> {
  const judged = await judgeAgents(host, settings, {});
  return judged.flatMap(({ definition, state }) => (state === "on" ? [definition] : []));
}

/** All agents of files, also those that do not count. */
export function surveyAgents(host: Host, settings: CatalogueSettings): Promise<JudgedAgent[]> {
  return judgeAgents(host, settings, { untrusted: true });
}

/** The agent of this name; also by the name with other signs or in other case, as others write it. */
export function findAgent<A extends Pick<Agent, "name">>(agents: readonly A[], name: string): A | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
  return (
    agents.find((agent) => agent.name === name) ?? agents.find((agent) => plain(agent.name) === plain(name))
  );
}

async function judgeAgents(
  host: Host,
  settings: CatalogueSettings,
  options: { untrusted?: boolean },
): Promise<JudgedAgent[]> {
  const files = await readDefinitions(host, AGENT_FOLDERS, { ...options, inPlugins: "agents" });
  const isOff = switchedOff(host, settings);
  const judged = await Promise.all(files.map((file) => judgeAgentFile(file, isOff)));
  const all = judged.flat();
  for (const each of all) {
    const fault = each.state === "on" && each.problems.find(({ code }) => FAULTS.has(code));
    if (!fault) continue;
    each.problems = each.problems.filter((problem) => problem !== fault);
    markUnusable(each, fault);
  }
  shadowAgents(all);
  return all;
}

async function judgeAgentFile(file: DefinitionFile, isOff: IsOff): Promise<JudgedAgent[]> {
  if (file.source !== "roo" && file.source !== "kilo")
    return [await judgeFile(file, "agent", agentOf, isOff)];
  const { content } = file;
  const whole = () => agentOfMode(file, {});
  if ("fault" in content) return [unreadFile("agent", file, whole(), content)];
  const read = await readYamlFile(content.text);
  if ("faultyLine" in read)
    return [faulty("agent", file, whole(), { code: "no-modes", value: read.faultyLine })];
  const modes = z.array(z.record(z.string(), z.unknown())).safeParse(read.fields.customModes);
  if (!modes.success) return [faulty("agent", file, whole(), { code: "no-modes", value: "" })];
  return modes.data.slice(0, MOST_MODES).map((mode) => judgeMode(file, mode, isOff));
}

/** One mode of the file. It is switched off by the file's name and its own. */
function judgeMode(file: DefinitionFile, mode: Readonly<Record<string, unknown>>, isOff: IsOff): JudgedAgent {
  const { name } = agentOfMode(file, mode);
  const own = { ...file, name: `${file.name}#${name}` };
  const judged = judgedAs("agent", own, agentOfMode(own, mode), isOff);
  if (name === "") markUnusable(judged, { code: "hidden-name", value: "" });
  else if (judged.definition.body === "") markUnusable(judged, { code: "empty", value: "" });
  return judged;
}

/** Of several with the same name, the first one counts. None has the name of a mode. */
function shadowAgents(judged: readonly JudgedAgent[]): void {
  const first = new Map(MODE_NAMES.map((name) => [name, name]));
  for (const each of judged) {
    if (each.state !== "on") continue;
    const name = each.definition.name.toLowerCase();
    const other = first.get(name);
    if (other === undefined) first.set(name, each.file.name);
    else markUnusable(each, { code: "shadowed", value: other });
  }
}
