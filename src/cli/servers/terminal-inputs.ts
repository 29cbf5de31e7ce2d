/** Asks on the terminal for the values that configurations of MCP servers refer to. */
import type { AskInput } from "../../core/servers/server-inputs.ts";
import { visible } from "../../shared/visible.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import { oneLine } from "../screen.ts";
import type { Terminal } from "../terminal.ts";

export function terminalInputs(terminal: Terminal, t: Translate): AskInput {
  return async ({ name }, { description, password, default: initial, options }, signal) => {
    const asked = t("The MCP server {0} requires a value: {1}", name, oneLine(description));
    const choices = options?.map((option, index) => `\n  ${index + 1}. ${oneLine(option)}`).join("") ?? "";
    for (;;) {
      const answer = await terminal.ask(`${asked}${choices}\n> `, signal, initial, password);
      if (answer === undefined) return undefined;
      if (!options) return answer === "" ? undefined : answer;
      const chosen = /^\d+$/.test(answer.trim()) ? options[Number(answer) - 1] : undefined;
      const option = chosen ?? options.find((each) => visible(each) === answer.trim());
      if (option !== undefined) return option;
      if (answer.trim() === "") return undefined;
    }
  };
}
