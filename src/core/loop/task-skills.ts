/** The skills of a task: the tool that lists them, and their texts as the model receives them. */
import type { KnownSkill, Message } from "../../shared/message.ts";
import type { Settings } from "../../shared/settings.ts";
import { definitionProblemText } from "../../shared/words/definition-words.ts";
import { translator } from "../../shared/words/task-words.ts";
import { problemTexts } from "../context/definition-survey.ts";
import { type DefinitionUse, expandDefinition } from "../context/expand-definition.ts";
import { ToolError } from "../errors.ts";
import { outsideText, SKILL_TAG } from "../fence.ts";
import { readSkills } from "../instructions/catalogue.ts";
import type { Command } from "../instructions/commands.ts";
import { listResources } from "../instructions/skill-resources.ts";
import { type Skill, skillFolderName } from "../instructions/skills.ts";
import type { Host } from "../ports/host.ts";
import { alreadyLoaded, skillContent, skillListing } from "../prompts/skill-texts.ts";
import { boundedLine } from "../servers/server-text.ts";
import { rankTools } from "../tools/servers/rank-tools.ts";
import { type Invocation, type Tool, type ToolContext, textOutput } from "../tools/tool.ts";
import { skillTool } from "../tools/use-skill.ts";
import { skillsOf } from "../window/loaded-skills.ts";
import { windowState } from "../window/request-messages.ts";

/** Skills that are named if none has the name. */
const MOST_NAMED = 8;
/** Characters of their descriptions. */
const DESCRIPTION_LENGTH = 300;

export interface SkillsDeps {
  host: Host;
  settings(): Settings;
  conversation: { readonly id: string; readonly messages: readonly Message[] };
}

export class TaskSkills {
  readonly #deps: SkillsDeps;
  #known: readonly KnownSkill[] = [];
  #tools: readonly Tool[] = [];

  constructor(deps: SkillsDeps) {
    this.#deps = deps;
  }

  /** The tool for these skills, none without skills; the same one as before for the same list. */
  tools(known: readonly KnownSkill[]): readonly Tool[] {
    if (known === this.#known) return this.#tools;
    this.#known = known;
    const prepare = (name: string, typed: string, context: ToolContext) =>
      this.#prepare(name, typed, context);
    this.#tools = known.length === 0 ? [] : [skillTool(skillListing(known), prepare)];
    return this.#tools;
  }

  async #prepare(name: string, typed: string, { signal }: ToolContext): Promise<Invocation> {
    const { host, settings, conversation } = this.#deps;
    const all = await readSkills(host, settings().context, signal);
    const skills = all.filter(({ byModel }) => byModel);
    const skill = skills.find((each) => each.name === name);
    if (!skill) throw new ToolError(noSuchSkill(name, skills));
    return {
      paths: [{ path: skill.path, access: "read" }],
      view: { path: skill.file },
      run: async () => {
        const text = await definitionText(host, skill, { typed, sessionId: conversation.id });
        return textOutput(this.#isLoaded(text) ? alreadyLoaded(skill.name) : text);
      },
    };
  }

  /** Whether a request contains this text already, where nothing has replaced it. */
  #isLoaded(text: string): boolean {
    const { messages } = this.#deps.conversation;
    const { leftOutUpTo } = windowState(messages);
    return messages.some(
      (message, index) =>
        (index === 0 || index > leftOutUpTo) &&
        skillsOf(message).some((loaded) => text.includes(loaded.text)),
    );
  }
}

/** A skill or command as the model reads it. Nothing in it can end the tag that is around it. */
export async function definitionText(
  host: Host,
  definition: Skill | Command,
  use: DefinitionUse,
): Promise<string> {
  const { fault, kind } = definition;
  if (fault) {
    // In English, because only the model receives it.
    const why = definitionProblemText(translator({}), problemTexts(fault));
    return `(The ${kind === "skill" ? "skill" : "workflow"} ${definition.name} cannot be used: ${why}. Tell the user.)`;
  }
  const { text } = await expandDefinition(host, definition, use);
  if (definition.kind === "command")
    return outsideText(outsideText(text, "explicit_instructions"), SKILL_TAG);
  const { name, folder } = definition;
  const resources = await listResources(host, definition);
  const content = skillContent({ name, from: skillFolderName(definition), text, folder, resources });
  return outsideText(content, "explicit_instructions");
}

function noSuchSkill(name: string, skills: readonly Skill[]): string {
  const ranked = rankTools(
    skills.map((tool) => ({ server: "", tool })),
    name,
  );
  const lines = ranked
    .slice(0, MOST_NAMED)
    .map(({ tool }) => `- ${tool.name}: ${boundedLine(tool.description, DESCRIPTION_LENGTH)}`);
  const none = `There is no skill named ${JSON.stringify(boundedLine(name, 100))} now, and none that fits these words.`;
  return lines.length === 0
    ? none
    : `There is no skill of exactly this name. These fit; call the tool with the name of one:\n${lines.join("\n")}`;
}
