/** What the demonstration shows, one click each. The texts are messages that the scripted model of `npm start` knows. */
import type { Mode } from "../../src/shared/message.ts";
import type { Translate } from "../../src/shared/words/task-words.ts";

export interface DemoScene {
  id: string;
  /** What the scene shows. */
  title: string;
  /** The message that plays it. */
  text: string;
  mode: Mode;
}

export function demoScenes(t: Translate): DemoScene[] {
  return [
    {
      id: "edit",
      title: t("An edit to approve or reject"),
      text: t("Change the cat to a dog in neko.txt"),
      mode: "act",
    },
    { id: "command", title: t("A command in the terminal"), text: t("Run `node --version`"), mode: "act" },
    { id: "plan", title: t("Plan, then act"), text: t("Make a Todo app"), mode: "plan" },
    {
      id: "question",
      title: t("A question with answers to choose from"),
      text: t("Ask me something"),
      mode: "act",
    },
    {
      id: "long",
      title: t("A long task with many steps"),
      text: t("Take a tour of the whole workspace, file by file"),
      mode: "act",
    },
    {
      id: "rich",
      title: t("Math and a diagram"),
      text: t("Show me math and a diagram"),
      mode: "act",
    },
  ];
}
