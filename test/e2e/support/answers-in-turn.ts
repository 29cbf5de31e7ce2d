import type { ModelServer, ScriptPart } from "../../model-server/server.ts";
import type { Workbench } from "./index.ts";

const LAST = "That is all.";

/** Each answer follows the one before; one that says that it is all ends the task. */
export function answerInTurn(server: ModelServer, ...answers: ScriptPart[][]): void {
  const all: ScriptPart[][] = [...answers, [{ text: LAST }]];
  server.setScript({ turns: all.map((answer, i) => ({ match: { request: i + 1 }, times: true, answer })) });
}

/** Resolves when the last of these answers is shown. */
export const lastAnswer = (vscode: Workbench): Promise<void> => vscode.row("text", LAST).waitFor();
