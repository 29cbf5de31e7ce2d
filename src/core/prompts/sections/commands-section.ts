import type { PromptFacts } from "../prompt-facts.ts";

/** In full alone; the short form of it is in the tool's description. */
export function runningCommands({ wording, offered }: PromptFacts): string {
  if (wording === "compact" || !offered.has("execute_command")) return "";
  const reading = offered.has("read_terminal") ? " Look at its output with read_terminal." : "";
  return `RUNNING COMMANDS

- Say in a few words what a command does, then run it. Do not write a script for what one command line can do.
- Use the project's own scripts and tools first: what its manifest, Makefile or README name for building, testing and formatting.
- Each command starts anew in the project's folder. A cd or a variable does not last until the next one.
- You cannot type into a command: choose options that need no answer, such as --yes. If it must ask something, the user can type in its terminal.
- A server or watcher moves to the background when its timeout is over: give it a short one, such as 10, and do not add &.${reading} Before you start one, look in Actively Running Terminals whether it runs already.
- If a command prints nothing, its exit code tells whether it succeeded.`;
}
