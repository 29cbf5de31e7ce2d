/** Commands that need inputs: a message without them is not sent, and the user learns which ones are missing. */

import { inputsOf, usageOfDefinition } from "../context/expand-definition.ts";
import { readPromptArguments } from "../context/prompt-arguments.ts";
import { PromptFailure } from "../context/server-prompts.ts";
import { commandIn } from "../context/slash-commands.ts";
import type { CatalogueSettings } from "../instructions/catalogue.ts";
import type { Host } from "../ports/host.ts";

/** Rejects with PromptFailure if the command of this text lacks an input. */
export async function requireInputs(
  text: string,
  host: Host,
  settings: CatalogueSettings,
  signal: AbortSignal,
): Promise<void> {
  const command = await commandIn(text, host, settings, signal);
  if (!command?.definition) return;
  const inputs = inputsOf(command.definition);
  const declared = inputs.map(({ name }) => ({ name, required: true }));
  const { missing } = readPromptArguments(command.after, declared);
  if (missing.length === 0) return;
  const shown = inputs.map(({ name, placeholder }) =>
    placeholder === "" ? name : `${name} (${placeholder})`,
  );
  const names = shown.filter((_, index) => missing.includes(inputs[index]?.name ?? "")).join(", ");
  const usage = `/${command.name} ${usageOfDefinition(command.definition)}`;
  throw new PromptFailure(
    `/${command.name} was not sent: ${names} is missing (${usage})`,
    `/${command.name}`,
    "missing-arguments",
    names,
    usage,
  );
}
