/**
 * Agents: files that say how to work and with which tools. An agent can only narrow what the user allows, so fields that would allow
 * something, or that run something, are reported and have no effect.
 */
import type { FilePattern, Handoff, SessionAgent, ToolSelector } from "../../shared/session-agent.ts";
import * as z from "../../shared/zod.ts";
import { isBoundedPattern } from "../bounded-pattern.ts";
import { withPluginFolders } from "../ports/plugins.ts";
import { boundedLine, boundedText } from "../servers/server-text.ts";
import { toolsNamed } from "./agent-tools.ts";
import {
  callName,
  DefinitionFields,
  describedIn,
  type FileDefinition,
  nameInPlugin,
} from "./definition-fields.ts";
import type { DefinitionFile } from "./definition-files.ts";
import { ALLOWED_TOOLS } from "./skills.ts";

export interface Agent extends FileDefinition {
  kind: "agent";
  /** What a session keeps of it. */
  session: SessionAgent;
  /** `connection/id` of the models that it asks for, the preferred one first. */
  models: readonly string[];
}

/** Characters of the longest description. */
const LONGEST_DESCRIPTION = 1_024;
/** Characters of the longest path that a regular expression is matched with. */
export const LONGEST_PATH = 200;
const MOST_PATTERNS = 50;
const MOST_HANDOFFS = 8;
const LONGEST_LABEL = 60;
const LONGEST_PROMPT = 4_000;

/** What other products do with these fields, Nekode does not. Several of them would raise what runs without asking. */
const WITHOUT_EFFECT = [
  "hooks",
  "mcpServers",
  "mcp-servers",
  "skills",
  "memory",
  "background",
  "effort",
  "maxTurns",
  "steps",
  "temperature",
  "top_p",
  "initialPrompt",
] as const;

/** Ends of file names that are not part of the agent's name. */
const FILE_ENDING = /(?:\.agent|\.chatmode)?\.md$/i;

export function agentOf(file: DefinitionFile, given: Readonly<Record<string, unknown>>, text: string): Agent {
  const fields = new DefinitionFields(given);
  const name = callName(fields, (file.below.at(-1) ?? file.name).replace(FILE_ENDING, ""));
  const { source } = file;
  const description = describedIn(fields, fields.text("description"), LONGEST_DESCRIPTION);
  // There, a file without a name is documentation.
  if ((source === "claude" || source === "plugin") && !fields.has("name"))
    fields.problems.push({ code: "documentation", value: "" });
  const kept = new AgentTools(fields);
  if (source === "opencode") kept.takeOpenCode(given);
  else kept.takeLists();
  // Our own file may be a mode of Roo Code that the user took over.
  if (source === "nekode" && fields.has("groups")) kept.takeGroups(groupsIn(fields, given.groups));
  fields.withoutEffect(WITHOUT_EFFECT);
  const { byUser, byModel } = callers(fields, source === "opencode" ? fields.text("mode") : "");
  return agentWith(file, fields, {
    name,
    description,
    instructions: text.trim(),
    byUser,
    byModel: byModel && description !== "",
    models: modelsOf(fields, file),
    session: {
      ...kept.result,
      ...(isPlanning(fields, source) ? { mode: "plan" as const } : {}),
      ...subagentsOf(fields),
      handoffs: handoffsOf(fields, given.handoffs),
    },
  });
}

const groupSchema = z.union([
  z.string(),
  z.pipe(
    z.tuple([z.string(), z.object({ fileRegex: z.optional(z.string()) })]),
    z.transform(([name, options]) => ({
      name,
      ...options,
    })),
  ),
]);

/** The groups of tools that a mode has; none if they cannot be read. */
function groupsIn({ problems }: DefinitionFields, given: unknown): z.infer<typeof groupSchema>[] {
  const groups = z.array(groupSchema).safeParse(given);
  if (!groups.success) problems.push({ code: "field", value: "groups" });
  return groups.data ?? [];
}

/** A mode of Roo Code, one of those in `.roomodes`. */
export function agentOfMode(file: DefinitionFile, given: Readonly<Record<string, unknown>>): Agent {
  // Their names are for people; the slug is what they are called by.
  const fields = new DefinitionFields({ ...given, name: given.slug ?? given.name });
  const name = callName(fields, "");
  const description = describedIn(
    fields,
    fields.text("description") || fields.text("whenToUse"),
    LONGEST_DESCRIPTION,
  );
  const parts = ["roleDefinition", "customInstructions"].map((key) => {
    const value = given[key];
    return typeof value === "string" ? value.trim() : fields.text(key);
  });
  const kept = new AgentTools(fields);
  kept.takeGroups(groupsIn(fields, given.groups ?? []));
  return agentWith(file, fields, {
    name,
    description,
    instructions: parts.filter((part) => part !== "").join("\n\n"),
    byUser: true,
    byModel: description !== "",
    models: [],
    session: { ...kept.result, handoffs: [] },
  });
}

interface AgentParts extends Pick<Agent, "name" | "description" | "byUser" | "byModel" | "models"> {
  instructions: string;
  session: Omit<SessionAgent, "name" | "file" | "instructions">;
}

function agentWith(
  { name: file, source, scope, path, folder, within, plugin }: DefinitionFile,
  { problems }: DefinitionFields,
  { name: ownName, instructions: text, session, ...parts }: AgentParts,
): Agent {
  const name = nameInPlugin(ownName, plugin);
  const instructions = plugin ? withPluginFolders(text, plugin) : text;
  return {
    kind: "agent",
    ...{ name, file, source, scope, path, folder, within, problems, ...(plugin ? { plugin } : {}) },
    argumentNames: [],
    body: instructions,
    ...parts,
    session: { name, file, instructions, ...session },
  };
}

/** Reads the lists of tools, and what they allow of each tool. */
class AgentTools {
  readonly #fields: DefinitionFields;
  #tools: ToolSelector[] | undefined;
  readonly #denied: ToolSelector[] = [];
  /** Beginnings of commands and patterns of files; undefined: all. */
  #commands: string[] | undefined;
  #editable: FilePattern[] | undefined;

  constructor(fields: DefinitionFields) {
    this.#fields = fields;
  }

  get result(): Pick<SessionAgent, "tools" | "denied" | "commands" | "editable"> {
    return {
      ...(this.#tools ? { tools: this.#tools } : {}),
      denied: this.#denied,
      ...(this.#commands ? { commands: this.#commands } : {}),
      ...(this.#editable ? { editable: this.#editable } : {}),
    };
  }

  /** `tools`, `disallowedTools` and our own `editable`. */
  takeLists(): void {
    const fields = this.#fields;
    if (fields.has("tools")) this.#allow(fields.list("tools", ALLOWED_TOOLS));
    for (const key of ["disallowedTools", "disallowed-tools"])
      if (fields.has(key)) this.#deny(fields.list(key, ALLOWED_TOOLS));
    if (fields.has("editable"))
      this.#editable = globs(fields.list("editable", COMMAS)).slice(0, MOST_PATTERNS);
  }

  /** Of OpenCode: tools that are switched off, and permissions that deny. What it allows has no effect. */
  takeOpenCode(given: Readonly<Record<string, unknown>>): void {
    const tools = z.optional(z.record(z.string(), z.boolean())).safeParse(given.tools ?? undefined);
    if (tools.success) {
      const entries = Object.entries(tools.data ?? {});
      const on = entries.flatMap(([name, isOn]) => (isOn ? [name] : []));
      // With everything else switched off, what is on is all that it has.
      if (tools.data?.["*"] === false) this.#allow(on);
      this.#deny(entries.flatMap(([name, isOn]) => (isOn || name === "*" ? [] : [name])));
    } else this.takeLists();
    const permission = z.optional(z.record(z.string(), z.unknown())).safeParse(given.permission ?? undefined);
    if (!permission.success) this.#problem("field", "permission");
    for (const [name, action] of Object.entries(permission.data ?? {})) this.#takePermission(name, action);
  }

  /** Of Roo Code. An agent without groups only talks. */
  takeGroups(groups: readonly z.infer<typeof groupSchema>[]): void {
    this.#tools = [];
    const unknown: string[] = [];
    for (const group of groups) {
      const { name, fileRegex } = typeof group === "string" ? { name: group, fileRegex: undefined } : group;
      if (!ROO_GROUPS.has(name)) {
        unknown.push(name);
        continue;
      }
      const found = toolsNamed(name);
      if (!found || found === "all") continue;
      if (fileRegex !== undefined && name === "edit" && !this.#takeRegex(fileRegex)) continue;
      this.#tools.push(...found.tools);
    }
    if (unknown.length > 0) this.#problem("unknown-tools", unknown.join(", "));
  }

  /** False: the expression cannot be used, so nothing can be edited. */
  #takeRegex(pattern: string): boolean {
    if (!isBoundedPattern(pattern, LONGEST_PATH)) {
      this.#problem("unusable-pattern", pattern);
      return false;
    }
    this.#editable = [...(this.#editable ?? []), { kind: "regex", pattern }];
    return true;
  }

  #takePermission(name: string, action: unknown): void {
    const patterns = z.record(z.string(), z.string()).safeParse(action);
    const isDenied = action === "deny" || (patterns.success && patterns.data["*"] === "deny");
    if (isDenied) this.#deny([name]);
    // What it allows or asks, the user's settings decide; a part that it denies cannot be told from the rest.
    if (action !== "deny") this.#problem("not-honored", `permission.${name}`);
  }

  #allow(entries: readonly string[]): void {
    const unknown: string[] = [];
    const bounds = { commands: new Bounds(), editable: new Bounds() };
    const tools: ToolSelector[] = [];
    let hasAll = false;
    for (const entry of entries) {
      const found = toolsNamed(entry);
      if (found === "all") hasAll = true;
      else if (!found) unknown.push(entry);
      else {
        tools.push(...found.tools);
        this.#takePattern(entry, found, bounds);
      }
    }
    if (unknown.length > 0) this.#problem("unknown-tools", unknown.map(shortName).join(", "));
    if (hasAll) return;
    this.#tools = tools;
    this.#commands = bounds.commands.result;
    this.#editable = bounds.editable.result && globs(bounds.editable.result);
    if (unknown.length === entries.length && entries.length > 0)
      this.#problem("no-tools", unknown.map(shortName).join(", "));
  }

  #takePattern(
    entry: string,
    { tools, pattern }: { tools: readonly ToolSelector[]; pattern?: string },
    bounds: { commands: Bounds; editable: Bounds },
  ): void {
    const [first] = tools;
    const access = first?.of === "access" ? first.name : undefined;
    if (access === "command") bounds.commands.add(pattern?.replace(/[\s:]*\*$/, "").trim());
    else if (access === "edit") bounds.editable.add(pattern);
    else if (pattern !== undefined) this.#problem("tool-pattern", shortName(entry));
  }

  #deny(entries: readonly string[]): void {
    const unknown: string[] = [];
    for (const entry of entries) {
      const found = toolsNamed(entry);
      if (found === "all") this.#tools = [];
      else if (!found) unknown.push(entry);
      else {
        this.#denied.push(...found.tools);
        if (found.pattern !== undefined) this.#problem("denied-pattern", shortName(entry));
      }
    }
    if (unknown.length > 0) this.#problem("unknown-tools", unknown.map(shortName).join(", "));
  }

  #problem(
    code:
      | "field"
      | "not-honored"
      | "unknown-tools"
      | "tool-pattern"
      | "denied-pattern"
      | "unusable-pattern"
      | "no-tools",
    value: string,
  ): void {
    this.#fields.problems.push({ code, value });
  }
}

/** The patterns of a tool that is named several times; once without a pattern, it is not bounded. */
class Bounds {
  readonly #patterns: string[] = [];
  #isBounded = true;

  add(pattern: string | undefined): void {
    if (pattern === undefined || pattern === "") this.#isBounded = false;
    else this.#patterns.push(pattern);
  }

  get result(): string[] | undefined {
    return this.#isBounded && this.#patterns.length > 0 ? this.#patterns.slice(0, MOST_PATTERNS) : undefined;
  }
}

/** The group `browser` no longer exists in Roo Code. */
const ROO_GROUPS = new Set(["read", "edit", "command", "mcp"]);
/** A comma within braces is part of a pattern. */
const COMMAS = /,(?![^{]*\})/;

const globs = (patterns: readonly string[]): FilePattern[] =>
  patterns.map((pattern) => ({ kind: "glob", pattern }));

/** Names of tools in a problem. */
function shortName(name: string): string {
  return boundedLine(name, LONGEST_LABEL);
}

/** Who can choose it. `mode`: of OpenCode, where it says for what an agent is meant. */
function callers(fields: DefinitionFields, mode: string): { byUser: boolean; byModel: boolean } {
  const isInferred = fields.flag("infer", true);
  return {
    byUser: fields.flag("user-invocable", true) && mode !== "subagent",
    byModel: isInferred && !fields.flag("disable-model-invocation", false) && mode !== "primary",
  };
}

function isPlanning(fields: DefinitionFields, source: DefinitionFile["source"]): boolean {
  const permission = fields.text("permissionMode");
  if (permission !== "" && permission !== "plan")
    fields.problems.push({ code: "not-honored", value: "permissionMode" });
  return permission === "plan" || (source === "nekode" && fields.text("mode") === "plan");
}

/**
 * The models that the user's own agents and commands ask for. Neither a project nor a plugin chooses the endpoint that files are sent
 * to.
 */
export function modelsOf(fields: DefinitionFields, { scope }: Pick<DefinitionFile, "scope">): string[] {
  const models = fields.list("model", /,/).filter((name) => !["inherit", "default"].includes(name));
  if (models.length === 0) return [];
  const isForeign = scope === "project" || scope === "plugin";
  const usable = isForeign ? [] : models.filter((name) => /^[^\s/]+\/\S+$/.test(name));
  if (usable.length === 0)
    fields.problems.push({
      code: isForeign ? "model-of-project" : "unknown-model",
      value: boundedLine(models.join(", "), LONGEST_LABEL),
    });
  return usable;
}

function subagentsOf(fields: DefinitionFields): Pick<SessionAgent, "subagents"> {
  if (!fields.has("agents")) return {};
  const names = fields.list("agents", /,/);
  return names.includes("*") ? {} : { subagents: names };
}

const handoffInput = z.object({
  label: z.string(),
  agent: z.string(),
  prompt: z.optional(z.string()),
  send: z.optional(z.boolean()),
  model: z.optional(z.unknown()),
});

function handoffsOf(fields: DefinitionFields, given: unknown): Handoff[] {
  if (given === undefined || given === null) return [];
  const items = Array.isArray(given) ? given : [given];
  const read = items.map((item) => handoffInput.safeParse(item));
  if (read.some(({ success }) => !success)) fields.problems.push({ code: "field", value: "handoffs" });
  if (read.some(({ data }) => data?.model !== undefined))
    fields.problems.push({ code: "not-honored", value: "handoffs.model" });
  return read.slice(0, MOST_HANDOFFS).flatMap(({ data }) => {
    const label = boundedLine(data?.label ?? "", LONGEST_LABEL);
    const agent = boundedLine(data?.agent ?? "", LONGEST_LABEL);
    if (!data || label === "" || agent === "") return [];
    return [
      { label, agent, prompt: boundedText(data.prompt ?? "", LONGEST_PROMPT), send: data.send ?? false },
    ];
  });
}
