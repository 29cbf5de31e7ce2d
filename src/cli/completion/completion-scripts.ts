/** The programs that complete the commands and options of `nekode` in a shell. */
import type { CommandUsage, UsageOption } from "./usage-table.ts";

/** How a value is completed. */
type ValueKind = "words" | "folders" | "files" | "none";

function kindOf({ value, choices }: UsageOption): ValueKind {
  if (choices.length > 0) return "words";
  if (value === "DIR") return "folders";
  return value === "FILE" || value === "PATH" ? "files" : "none";
}

const withValue = (options: readonly UsageOption[]) => options.filter(({ value }) => value !== undefined);
const names = (items: readonly { name: string }[]) => items.map(({ name }) => name);

/** Options of one kind stand together. */
function byKind(options: readonly UsageOption[]): [ValueKind, string[]][] {
  const kinds = ["folders", "files", "none"] as const;
  return kinds.flatMap((kind): [ValueKind, string[]][] => {
    const found = names(withValue(options).filter((option) => kindOf(option) === kind));
    return found.length === 0 ? [] : [[kind, found]];
  });
}

/** The lines of a `case` of bash and zsh that say how the value after `$prev` is completed. */
function valueCases(options: readonly UsageOption[]): string[] {
  const lists = withValue(options).filter((option) => option.choices.length > 0);
  return [
    ...lists.map(({ name, choices }) => `        ${name}) kind=words; choices="${choices.join(" ")}" ;;`),
    ...byKind(options).map(([kind, found]) => `        ${found.join("|")}) kind=${kind} ;;`),
  ];
}

/** Sets `command` to the name of the command in the words $1 and $2, which are two expressions of the shell. */
function commandCase(table: readonly CommandUsage[], first: string, second: string): string[] {
  const [pairs, singles] = [true, false].map((isPair) =>
    names(table).filter((name) => name !== "" && name.includes(" ") === isPair),
  );
  return [
    `  case "${first} ${second}" in`,
    ...(pairs ?? []).map((name) => `    "${name}") command="${name}" ;;`),
    `    *) case "${first}" in ${(singles ?? []).join("|")}) command="${first}" ;; esac ;;`,
    "  esac",
  ];
}

export function bashCompletion(table: readonly CommandUsage[]): string {
  const cases = table.flatMap(({ name, options, words, takesFile }) => [
    `    "${name}")`,
    `      options="${names(options).join(" ")}"`,
    `      words="${words.map(({ word }) => word).join(" ")}"`,
    ...(takesFile ? ["      rest=files"] : []),
    '      case "$prev" in',
    ...valueCases(options),
    "      esac ;;",
  ]);
  return `# bash completion for nekode. In ~/.bashrc: source <(nekode completion bash)
_nekode() {
  local current="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"
  local command="" options="" words="" kind="" choices="" rest="" place=1 first="" second="" IFS=$' \\t\\n'
  if [ "$current" = "=" ]; then current=""
  elif [ "$prev" = "=" ]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  # A word that is being typed is not the command yet.
  [ "$COMP_CWORD" -gt 1 ] && first="\${COMP_WORDS[1]}"
  [ "$COMP_CWORD" -gt 2 ] && second="\${COMP_WORDS[2]}"
${commandCase(table, "$first", "$second").join("\n")}
  case "$command" in
    "") ;;
    *" "*) place=3 ;;
    *) place=2 ;;
  esac
  case "$command" in
${cases.join("\n")}
  esac
  COMPREPLY=()
  if [ -z "$kind" ]; then
    case "$current" in
      -*) kind=words; choices="$options" ;;
      *) if [ "$COMP_CWORD" -eq "$place" ]; then kind=words; choices="$words"; fi
        if [ -n "$rest" ]; then kind="$rest"; fi ;;
    esac
  fi
  case "$kind" in
    words) COMPREPLY=($(compgen -W "$choices" -- "$current")) ;;
    folders) IFS=$'\\n'; COMPREPLY=($(compgen -d -- "$current")); compopt -o filenames 2>/dev/null ;;
    files) IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$current")); compopt -o filenames 2>/dev/null ;;
  esac
  return 0
}
complete -F _nekode nekode
`;
}

/** In single quotes, as bash, zsh and fish read them. */
const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "'\\''")}'`;
/** For zsh, whose descriptions follow a colon. */
const zshItem = (name: string, text: string) =>
  quoted(text === "" ? name : `${name}:${text.replaceAll(":", "\\:")}`);

export function zshCompletion(table: readonly CommandUsage[]): string {
  const cases = table.flatMap(({ name, options, words, takesFile }) => [
    `    "${name}")`,
    `      options=(${options.map((option) => zshItem(option.name, option.text)).join(" ")})`,
    `      subcommands=(${words.map(({ word, text }) => zshItem(word, text)).join(" ")})`,
    ...(takesFile ? ["      rest=files"] : []),
    '      case "$prev" in',
    ...valueCases(options),
    "      esac ;;",
  ]);
  return `#compdef nekode
# zsh completion for nekode. In ~/.zshrc, after compinit: source <(nekode completion zsh)
_nekode() {
  local prev="\${words[CURRENT-1]}" command="" kind="" choices="" rest="" place=2 first="" second=""
  local -a options subcommands
  if [[ "$PREFIX" == --*=* ]]; then
    prev="\${PREFIX%%=*}"
    compset -P '*='
  fi
  (( CURRENT > 2 )) && first="\${words[2]}"
  (( CURRENT > 3 )) && second="\${words[3]}"
${commandCase(table, "$first", "$second").join("\n")}
  case "$command" in
    "") ;;
    *" "*) place=4 ;;
    *) place=3 ;;
  esac
  case "$command" in
${cases.join("\n")}
  esac
  case "$kind" in
    words) compadd -- \${=choices} ;;
    folders) _files -/ ;;
    files) _files ;;
    none) _message value ;;
    *)
      if [[ "$PREFIX" == -* ]]; then _describe -o option options
      elif [[ -n "$rest" ]]; then _files
      elif (( CURRENT == place && \${#subcommands} )); then _describe command subcommands
      fi ;;
  esac
}
if [[ "\${funcstack[1]}" == "_nekode" ]]; then _nekode "$@"; else compdef _nekode nekode; fi
`;
}

export function fishCompletion(table: readonly CommandUsage[]): string {
  const pairs = names(table).filter((name) => name.includes(" "));
  const lines = table.flatMap(({ name, options, words, takesFile }) => {
    const is = `-n ${quoted(`__nekode_is "${name}"`)}`;
    const isNext = `-n ${quoted(`__nekode_is_next "${name}"`)}`;
    return [
      ...words.map(
        ({ word, text }) =>
          `complete -c nekode ${isNext} -a ${word}${text === "" ? "" : ` -d ${quoted(text)}`}`,
      ),
      ...(takesFile ? [`complete -c nekode ${is} -F`] : []),
      ...options.map((option) => {
        const values = {
          words: ` -x -a ${quoted(option.choices.join(" "))}`,
          folders: " -x -a '(__fish_complete_directories)'",
          files: " -r -F",
          none: " -x",
        }[kindOf(option)];
        const text = option.text === "" ? "" : ` -d ${quoted(option.text)}`;
        return `complete -c nekode ${is} -l ${option.name.slice(2)}${option.value === undefined ? "" : values}${text}`;
      }),
    ];
  });
  return `# fish completion for nekode: nekode completion fish > ~/.config/fish/completions/nekode.fish
function __nekode_command
    set -l typed (commandline -opc)
    set -e typed[1]
    switch "$typed[1] $typed[2]"
${pairs.map((name) => `        case ${quoted(name)}\n            echo ${quoted(name)}\n            return`).join("\n")}
    end
    switch "$typed[1]"
        case ${names(table)
          .filter((name) => name !== "" && !name.includes(" "))
          .join(" ")}
            echo $typed[1]
    end
end
function __nekode_is
    set -l command (__nekode_command)
    test "$command" = "$argv[1]"
end
function __nekode_is_next
    __nekode_is $argv[1]; or return 1
    set -l typed (commandline -opc)
    test (count $typed) -eq (math 1 + (count (string split -n ' ' $argv[1])))
end
complete -c nekode -f
${lines.join("\n")}
`;
}

const powershellText = (text: string) => `'${text.replaceAll("'", "''")}'`;
const powershellList = (items: readonly string[]) => `@(${items.map(powershellText).join(", ")})`;

export function powershellCompletion(table: readonly CommandUsage[]): string {
  const commands = table.map(({ name, options, words }) => {
    const described = [
      ...words.map(({ word, text }) => [word, text]),
      ...options.map((option) => [option.name, option.text]),
    ].map(([item = "", text = ""]) => `${powershellText(item)} = ${powershellText(text || item)}`);
    const values = withValue(options).map(
      (option) => `${powershellText(option.name)} = ${powershellList(option.choices)}`,
    );
    return `    ${powershellText(name)} = @{
      Items = [ordered]@{ ${described.join("; ")} }
      Values = @{ ${values.join("; ")} }
    }`;
  });
  return `# PowerShell completion for nekode. In $PROFILE: nekode completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName nekode -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $commands = @{
${commands.join("\n")}
  }
  $typed = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  $name = ''
  if ($typed.Count -gt 1 -and $commands.ContainsKey($typed[1])) { $name = $typed[1] }
  if ($typed.Count -gt 2 -and $commands.ContainsKey($typed[1] + ' ' + $typed[2])) { $name = $typed[1] + ' ' + $typed[2] }
  $command = $commands[$name]
  $previous = $typed[-1]
  if ($typed.Count -gt 1 -and $command.Values.ContainsKey($previous)) {
    $command.Values[$previous] | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
      [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
    }
    return
  }
  $isFirst = $typed.Count -eq 1 + @($name -split ' ' | Where-Object { $_ }).Count
  $command.Items.GetEnumerator() | Where-Object { $_.Key -like "$wordToComplete*" } | ForEach-Object {
    if ($_.Key.StartsWith('-') -or $isFirst) {
      [System.Management.Automation.CompletionResult]::new($_.Key, $_.Key, 'ParameterValue', $_.Value)
    }
  }
}
`;
}
