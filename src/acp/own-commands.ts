/** The commands that need no model: what `/help`, `/model` and `/clear` do in another editor. */
import { slashCommandText } from "../shared/words/command-words.ts";
import type { AcpParts } from "./acp-parts.ts";
import type { EditorProject } from "./project/open-editor-project.ts";
import type { SessionChoices } from "./session-choices.ts";

/** The answer to the text if it is one of these commands; undefined: it is a message. */
export async function ownCommand(
  text: string,
  { project }: Pick<EditorProject, "project">,
  choices: Pick<SessionChoices, "current" | "set">,
  { t }: Pick<AcpParts, "t">,
): Promise<string | undefined> {
  const [, name, rest = ""] = /^\s*\/(help|model|clear)(?:\s+(\S+))?\s*$/.exec(text) ?? [];
  switch (name) {
    case "help": {
      const commands = await project.slashCommands();
      return commands.map((each) => `- \`/${each.name}\` ${slashCommandText(t, each)}`.trimEnd()).join("\n");
    }
    case "model": {
      const problem = rest === "" ? undefined : await choices.set("model", rest);
      const { model, models } = choices.current;
      const list = models
        .map((each) => `- ${each.name === model ? `**${each.name}**` : each.name}`)
        .join("\n");
      return [problem, list || t("No model is configured. Set it with --model or NEKODE_MODEL.")]
        .filter((part) => part !== undefined)
        .join("\n\n");
    }
    case "clear":
      return t("To start a new task, open a new session in your editor.");
    default:
      return undefined;
  }
}
