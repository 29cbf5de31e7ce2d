/** The options of `nekode acp`: those of the terminal host that apply to sessions of an editor. */
import type { Options } from "./command-options.ts";
import { UsageError } from "./usage-error.ts";

export const ACP_USAGE = `Usage: nekode acp [options]
       nekode acp --setup      show whether a model is configured, and what to set otherwise

Runs Nekode in an editor that speaks the Agent Client Protocol, version 1, over standard input and output. The editor
starts this command and names the folder of each session. docs/acp.md has the configuration of editors.

The options give the defaults of all sessions. In the editor, the mode or agent, the model and the permission of a
session can be changed.

  --base-url URL, --api API, --model NAME, --protocol P, --context-window N
  --max-output-tokens N, --temperature T
  --mode M or --agent NAME, --approve LIST, --permission LEVEL, --private-hosts LIST
  --search-provider P, --search-url URL, --memory on|off
  --max-requests N, --max-cost USD
  --take-over            open sessions even if they are open in another window or terminal
  --cwd DIR              project of the list of sessions if the editor names no folder
  --data-dir DIR, --config-dir DIR
  --help, --version

nekode --help describes them, and the variables that contain API keys. A key is never an argument, and the protocol never
carries one.
`;

/** Throws UsageError for options that choose what one run does, because an editor chooses it. */
export function acpOptions(options: Options): Options {
  const { command, task, json, report, outputSchema, resume, timeoutMs } = options;
  const refused = [
    ...(task === undefined ? [] : ["a TASK"]),
    ...(json ? ["--json"] : []),
    ...(report === undefined ? [] : ["--report"]),
    ...(outputSchema === undefined ? [] : ["--output-schema"]),
    ...(resume === undefined ? [] : ["--resume or --continue"]),
    ...(timeoutMs === undefined ? [] : ["--timeout"]),
    ...(["run", "help", "version"].includes(command)
      ? []
      : [`--${command === "change" ? (options.change?.kind ?? command) : command}`]),
  ];
  if (refused.length > 0)
    throw new UsageError(`nekode acp does not accept ${refused.join(", ")}; see nekode acp --help`);
  return options;
}
