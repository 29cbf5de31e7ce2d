/** What the user can choose for a session, as options of version 1 and, for older editors, as modes. */
import type { SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk";
import { LEVELS } from "../../shared/permission/levels.ts";
import { levelText, levelTitle, levelWord } from "../../shared/words/permission-words.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import type { ChoiceReport } from "../reports.ts";

export function configOptionsV1(
  { mode, agents, model, models, permission }: ChoiceReport,
  t: Translate,
): SessionConfigOption[] {
  const custom = permission === "custom" ? [{ value: "custom", name: levelWord(t, "custom") }] : [];
  const options: SessionConfigOption[] = [
    {
      id: "mode",
      type: "select",
      name: t("Mode"),
      category: "mode",
      currentValue: mode,
      options: modesOf(t, agents).map(({ id, ...rest }) => ({ value: id, ...rest })),
    },
    {
      id: "permission",
      type: "select",
      name: t("Permissions"),
      currentValue: permission,
      options: [
        ...LEVELS.map((level) => ({
          value: level,
          name: levelTitle(t, level),
          description: levelText(t, level),
        })),
        ...custom,
      ],
    },
  ];
  if (model !== "")
    options.push({
      id: "model",
      type: "select",
      name: t("Model"),
      category: "model",
      currentValue: model,
      options: models.map(({ name, title }) => ({ value: name, name: title })),
    });
  return options;
}

export function modesV1({ mode, agents }: ChoiceReport, t: Translate): SessionModeState {
  return { currentModeId: mode, availableModes: modesOf(t, agents) };
}

/** The two modes, then the agents. */
function modesOf(
  t: Translate,
  agents: ChoiceReport["agents"],
): { id: string; name: string; description: string }[] {
  return [
    { id: "plan", name: t("Plan"), description: t("Plan mode: nothing is changed.") },
    { id: "act", name: t("Act"), description: t("Act mode: changes are made with your approval.") },
    ...agents.map(({ name, title, text }) => ({ id: name, name: title, description: text })),
  ];
}
