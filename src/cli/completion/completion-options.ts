/** Parses the command line of `nekode completion` into one validated object. */
import { commandLine } from "../command-line.ts";
import { UsageError } from "../usage-error.ts";

export const COMPLETION_USAGE = `Usage: nekode completion bash|zsh|fish|powershell|man

Prints a script with which your shell completes the commands and options of nekode:

  bash        add to ~/.bashrc: source <(nekode completion bash)
  zsh         add to ~/.zshrc, after compinit: source <(nekode completion zsh)
  fish        run: nekode completion fish > ~/.config/fish/completions/nekode.fish
  powershell  add to $PROFILE: nekode completion powershell | Out-String | Invoke-Expression
  man         print the manual page instead: nekode completion man > nekode.1 && man ./nekode.1
`;

const FORMATS = ["bash", "zsh", "fish", "powershell", "man"] as const;

export type CompletionFormat = (typeof FORMATS)[number];

/** `args`: the arguments after `completion`. Throws UsageError. */
export function readCompletionFormat(args: readonly string[]): CompletionFormat | "help" {
  const { values, positionals } = commandLine(args, { help: { type: "boolean", short: "h" } });
  if (values.help) return "help";
  const format = FORMATS.find((each) => each === positionals[0]);
  if (format === undefined || positionals.length > 1)
    throw new UsageError(`completion requires one of ${FORMATS.join(", ")}`);
  return format;
}
