/** Other names under which models know parameters, where one of them can only mean the tool's own. */
import { normalise } from "./spelling.ts";

const ALIASES: Readonly<Record<string, readonly string[]>> = {
  path: [
    "file_path",
    "filename",
    "file",
    "target_file",
    "relative_path",
    "absolute_path",
    "dir",
    "dir_path",
    "directory",
    "folder",
    "target_directory",
    "relative_workspace_path",
  ],
  command: ["cmd", "command_line", "shell_command"],
  content: ["contents", "file_text", "file_content", "new_content"],
  diff: ["changes", "blocks"],
  regex: ["pattern", "query", "regexp", "search_pattern"],
  file_pattern: ["glob", "include", "include_pattern"],
  start_line: ["line_start", "from_line", "start"],
  end_line: ["line_end", "to_line", "end"],
};

/** What each name means, without case and joints. */
const meanings = new Map(
  Object.entries(ALIASES).flatMap(([own, others]) => others.map((other) => [normalise(other), own] as const)),
);

/**
 * The parameters under the tool's own names, `own`: those in another case or spelling, and those that have one meaning
 * here. A parameter that the call has already is never replaced; anything else stays as it is and is an error later.
 */
export function withOwnNames(
  params: Readonly<Record<string, unknown>>,
  own: readonly string[],
): Record<string, unknown> {
  const named = Object.entries(params).map(([name, value]): [string, unknown] => {
    if (own.includes(name)) return [name, value];
    const plain = normalise(name);
    const meant = own.find((other) => normalise(other) === plain) ?? meanings.get(plain);
    const free = meant !== undefined && own.includes(meant) && !(meant in params);
    return [free ? meant : name, value];
  });
  // Two names for one parameter: which of them holds cannot be told.
  const twice = new Set(named.map(([name]) => name)).size < named.length;
  return twice ? { ...params } : Object.fromEntries(named);
}
