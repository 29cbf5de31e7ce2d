/** What the user can choose for a session in the editor: its mode or agent, its model, and what runs without asking. */
import { Interrupt, messageOf } from "../core/errors.ts";
import { connectionsOf, defaultModels, shownModel } from "../shared/models/connection.ts";
import { LEVEL_ACCESS, levelOf, levelSchema } from "../shared/permission/levels.ts";
import { agentItemText, agentItemTitle } from "../shared/words/agent-words.ts";
import type { AcpParts } from "./acp-parts.ts";
import type { EditorProject } from "./project/open-editor-project.ts";
import type { ChoiceReport } from "./reports.ts";

/** Models that one connection adds to the list; an editor shows them all at once. */
const MOST_MODELS = 200;

export class SessionChoices {
  readonly #editorProject: Pick<EditorProject, "project" | "view" | "settings">;
  readonly #parts: Pick<AcpParts, "log" | "t">;
  #models: { name: string; title: string }[] = [];
  #agents: ChoiceReport["agents"] = [];

  constructor(
    editorProject: Pick<EditorProject, "project" | "view" | "settings">,
    parts: Pick<AcpParts, "log" | "t">,
  ) {
    this.#editorProject = editorProject;
    this.#parts = parts;
  }

  get current(): ChoiceReport {
    const { view, settings } = this.#editorProject;
    const { agent, mode, chosen } = view.active.chatView;
    const model = shownModel(defaultModels(settings()), mode, chosen);
    const listed = this.#models.some(({ name }) => name === model);
    const models = listed || model === "" ? this.#models : [{ name: model, title: model }, ...this.#models];
    const permission = levelOf(view.active.access);
    return { mode: agent ?? mode, agents: this.#agentsWith(agent), model, models, permission };
  }

  /** An agent whose file no longer exists stays one of the choices while the session has it. */
  #agentsWith(agent: string | undefined): ChoiceReport["agents"] {
    const isListed = agent === undefined || this.#agents.some(({ name }) => name === agent);
    return isListed ? this.#agents : [...this.#agents, { name: agent, title: agent, text: "" }];
  }

  /** Reads the agents. If that fails, the log reports it, and there are none. */
  async listAgents(): Promise<void> {
    const { project } = this.#editorProject;
    const { log, t } = this.#parts;
    try {
      this.#agents = (await project.agents()).map((item) => ({
        name: item.name,
        title: agentItemTitle(item),
        text: agentItemText(t, item),
      }));
    } catch (error) {
      log.error("the agents were not read", error);
    }
  }

  /** Asks the endpoints for their models. Resolves when all have answered or failed, which the log reports. */
  async listModels(signal: AbortSignal): Promise<void> {
    const { project, settings } = this.#editorProject;
    const lists = await Promise.all(
      connectionsOf(settings()).map(async (connection) => {
        try {
          return await project.models.list(connection, signal);
        } catch (error) {
          if (!signal.aborted && !(error instanceof Interrupt))
            this.#parts.log.error(`the models of ${connection.name} were not listed: ${messageOf(error)}`);
          return [];
        }
      }),
    );
    this.#models = lists.flatMap((list) =>
      list.slice(0, MOST_MODELS).map(({ name, title }) => ({ name, title: title ?? name })),
    );
  }

  /** Resolves when the choice applies; with a sentence if there is no such choice. */
  async set(choice: string, value: string): Promise<string | undefined> {
    const { project, view } = this.#editorProject;
    switch (choice) {
      case "mode": {
        try {
          await project.chooseAgent(await view.settled(), value);
          return undefined;
        } catch (error) {
          return messageOf(error);
        }
      }
      case "model": {
        const { models } = this.current;
        const { mode } = view.active.chatView;
        if (!models.some(({ name }) => name === value))
          return `there is no model ${JSON.stringify(value)}; choose one of those that are listed`;
        // If plan mode has no model of its own, it uses that of act mode. The choice then applies to both.
        const planModel =
          view.active.chatView.chosen.plan || defaultModels(this.#editorProject.settings()).plan;
        await (await view.settled()).chooseModel(planModel ? mode : "act", value);
        return undefined;
      }
      case "permission": {
        const level = levelSchema.safeParse(value);
        if (!level.success)
          return `permission must be one of ${levelSchema.options.join(", ")}, not ${JSON.stringify(value)}`;
        await (await view.settled()).changePermission({
          classes: LEVEL_ACCESS[level.data],
          exceptions: null,
        });
        return undefined;
      }
      default:
        return `there is no option ${JSON.stringify(choice)}; the options are mode, model and permission`;
    }
  }
}
