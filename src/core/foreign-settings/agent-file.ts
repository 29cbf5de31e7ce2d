/** Makes an agent file of ours of a mode of Roo Code, or of an agent in a configuration file of opencode. */

import type { ToolSelector } from "../../shared/session-agent.ts";
import type { SettingNote } from "../../shared/setting-proposals.ts";
import { MODE_NAMES } from "../instructions/agent-catalogue.ts";
import { type Agent, agentOf, agentOfMode } from "../instructions/agents.ts";
import type { DefinitionFile } from "../instructions/definition-files.ts";
import { boundedText } from "../servers/server-text.ts";
import type { ForeignSetting } from "./foreign-setting.ts";

/** Characters of the longest instructions, so that the file can be read again. */
const LONGEST = 80_000;

export interface AgentFileText {
  name: string;
  text: string;
  notes: SettingNote[];
}

export async function agentFileText({
  format,
  name,
  fields,
}: Extract<ForeignSetting, { kind: "agent" }>): Promise<AgentFileText | { why: SettingNote }> {
  const agent = read(format, name, fields);
  if (
    !agent ||
    !/^[A-Za-z0-9][\w.-]{0,63}$/.test(agent.name) ||
    MODE_NAMES.includes(agent.name.toLowerCase())
  )
    return { why: { code: "agent-name", value: "" } };
  if (agent.instructions.length > LONGEST) return { why: { code: "too-long", value: "" } };
  if (/\{file:[^}]*\}/.test(agent.instructions)) return { why: { code: "prompt-in-file", value: "" } };
  const { stringify } = await import("yaml");
  const { tools, denied } = agent.session;
  const front = {
    name: agent.name,
    ...(agent.description === "" ? {} : { description: agent.description }),
    ...(format === "roo" ? { groups: groupsOf(fields.groups) } : {}),
    ...(format === "opencode" && tools ? { tools: tools.map(toolName) } : {}),
    ...(format === "opencode" && denied.length > 0
      ? { disallowedTools: [...new Set(denied.map(toolName))] }
      : {}),
    ...(agent.byUser ? {} : { "user-invocable": false }),
    ...(agent.byModel || agent.description === "" ? {} : { "disable-model-invocation": true }),
  };
  const body = boundedText(agent.instructions, LONGEST);
  return {
    name: agent.name,
    text: `---\n${stringify(front, { lineWidth: 0 })}---\n${body}${body === "" ? "" : "\n"}`,
    notes: [
      ...(fields.model === undefined ? [] : [{ code: "dropped", value: "model" }]),
      ...agent.problems.flatMap(({ code, value }) =>
        code === "unknown-tools" || code === "unusable-pattern" || code === "not-honored"
          ? [{ code: "dropped", value }]
          : [],
      ),
    ],
  };
}

interface ReadAgent
  extends Pick<Agent, "name" | "description" | "byUser" | "byModel" | "problems" | "session"> {
  instructions: string;
}

function read(
  format: "roo" | "opencode",
  name: string,
  fields: Readonly<Record<string, unknown>>,
): ReadAgent | undefined {
  const file: DefinitionFile = {
    ...{ source: format, scope: "user", name, path: "", folder: "", within: "", below: [name] },
    content: { text: "" },
  };
  if (format === "roo") {
    const agent = agentOfMode(file, fields);
    return { ...agent, instructions: agent.session.instructions };
  }
  const { prompt, model: _, ...others } = fields;
  const agent = agentOf(file, { ...others, name }, typeof prompt === "string" ? prompt : "");
  return { ...agent, instructions: agent.session.instructions };
}

/** What the mode says, without what is not about tools and files. */
function groupsOf(groups: unknown): unknown[] {
  if (!Array.isArray(groups)) return [];
  return groups.flatMap((group: unknown): unknown[] => {
    if (typeof group === "string") return [group];
    if (!Array.isArray(group)) return [];
    const [name, options]: unknown[] = group;
    const { fileRegex = undefined } = typeof options === "object" && options !== null ? { ...options } : {};
    return [fileRegex === undefined ? [name, {}] : [name, { fileRegex }]];
  });
}

/** The name under which our own files have the tools. */
function toolName(selector: ToolSelector): string {
  return selector.of === "server" ? `${selector.name}/${selector.tool ?? "*"}` : selector.name;
}
