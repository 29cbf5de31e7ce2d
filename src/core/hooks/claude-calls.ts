/**
 * Calls of our tools as hooks know them: with the names and fields of Claude Code's tools, so that scripts that were written for those
 * work unchanged. Paths are absolute, so that a spelling such as `~` or `a/../b` cannot deceive a hook.
 */
import { isRecord } from "../assistant/record.ts";
import { createBlockReader } from "../edits/blocks/blocks.ts";
import { parsePatch, pathsNamed } from "../edits/patch/patch.ts";
import type { ShellKind } from "../ports/shell.ts";
import type { Workspace } from "../ports/workspace.ts";
import { bareLines } from "../text.ts";
import { resolvePath } from "../tools/tool-paths.ts";

/** A call as Claude Code would make it. */
export interface ClaudeCall {
  tool: string;
  input: Record<string, unknown>;
  /** Our parameters for a changed input. Absent: the input of this call cannot be changed. */
  restore?(input: Readonly<Record<string, unknown>>): Record<string, unknown>;
}

export interface HookedCall {
  /** Our name of the tool. */
  name: string;
  params: Readonly<Record<string, unknown>>;
  /** For a tool of an MCP server: the server, and the tool's name there. */
  server?: { name: string; tool: string };
  /** In place of what the parameters say: the files that the call changes, or the command that it runs. */
  files?: readonly ChangedFileTexts[];
  command?: string;
}

interface ChangedFileTexts {
  /** Absolute. */
  path: string;
  change?: { before: string | null; after: string | null };
}

interface ClaudeCallContext {
  workspace: Workspace;
  shell: ShellKind;
}

type Mapped = (params: HookedCall["params"], context: ClaudeCallContext) => ClaudeCall[];

const text = (value: unknown): string => (typeof value === "string" ? value : "");

function absolute(path: unknown, { workspace }: ClaudeCallContext): string {
  try {
    return resolvePath(workspace, text(path));
  } catch {
    // The call itself is refused because of this path. Hooks see it as the model wrote it.
    return text(path);
  }
}

/** The fields of an input that one parameter of ours each has. */
function renamed(
  tool: string,
  fields: Readonly<Record<string, string>>,
  input: ClaudeCall["input"],
): ClaudeCall {
  return {
    tool,
    input,
    restore: (changed) =>
      Object.fromEntries(
        Object.entries(fields).flatMap(([field, param]) =>
          changed[field] === undefined ? [] : [[param, changed[field]]],
        ),
      ),
  };
}

/** Our tools by their names. A tool that is not listed is shown under its own name, with its own parameters. */
const MAPPED: Readonly<Record<string, Mapped>> = {
  execute_command: ({ command, timeout }, { shell }) => {
    const seconds = typeof timeout === "number" ? { timeout: timeout * 1000 } : {};
    const call = { command: text(command), description: "", run_in_background: false, ...seconds };
    return [renamed(shell === "powershell" ? "PowerShell" : "Bash", { command: "command" }, call)];
  },
  read_terminal: ({ id }) => [{ tool: "BashOutput", input: { bash_id: id } }],
  read_file: ({ path, start_line: start, end_line: end }, context) => {
    const offset = typeof start === "number" ? { offset: start } : {};
    const first = typeof start === "number" ? start : 1;
    const limit = typeof end === "number" ? { limit: end - first + 1 } : {};
    return [
      renamed("Read", { file_path: "path" }, { file_path: absolute(path, context), ...offset, ...limit }),
    ];
  },
  write_to_file: ({ path, content }, context) => [
    renamed(
      "Write",
      { file_path: "path", content: "content" },
      { file_path: absolute(path, context), content },
    ),
  ],
  new_rule: ({ path, content }, context) => [
    { tool: "Write", input: { file_path: absolute(`.nekode/rules/${text(path)}`, context), content } },
  ],
  replace_in_file: ({ path, diff }, context) => [editOf(absolute(path, context), text(diff))],
  apply_patch: ({ input }, context) => patchCalls(text(input), context),
  // Claude Code has no tool for this: it runs the command.
  delete_file: ({ path }, context) => [
    {
      tool: "Bash",
      input: { command: `rm '${absolute(path, context).replaceAll("'", `'\\''`)}'`, description: "" },
    },
  ],
  search_files: ({ path, regex, file_pattern: glob, multiline }, context) => [
    {
      tool: "Grep",
      input: {
        pattern: regex,
        path: absolute(path, context),
        output_mode: "content",
        ...(glob === undefined ? {} : { glob }),
        ...(multiline === undefined ? {} : { multiline }),
      },
    },
  ],
  list_files: ({ path, recursive }, context) => [
    { tool: "Glob", input: { pattern: recursive ? "**/*" : "*", path: absolute(path, context) } },
  ],
  list_code_definition_names: ({ path }, context) => [
    { tool: "Read", input: { file_path: absolute(path, context) } },
  ],
  code_symbols: ({ path, query }, context) =>
    path === undefined
      ? [{ tool: "Grep", input: { pattern: query, path: absolute(".", context) } }]
      : [{ tool: "Read", input: { file_path: absolute(path, context) } }],
  web_fetch: ({ url }) => [renamed("WebFetch", { url: "url" }, { url, prompt: "" })],
  web_search: ({ query }) => [renamed("WebSearch", { query: "query" }, { query })],
  start_task: ({ description, kind }) => [
    {
      tool: "Agent",
      input: { description: text(description).split("\n", 1)[0], prompt: description, subagent_type: kind },
    },
  ],
  use_mcp_tool: ({ server_name: server, tool_name: tool, arguments: input }) => [
    { tool: mcpName(text(server), text(tool)), input: isRecord(input) ? input : {} },
  ],
};

/** The call as hooks see it; a patch of several files is one call for each change of a file. */
export function claudeCalls(
  { name, params, server, files, command }: HookedCall,
  context: ClaudeCallContext,
): ClaudeCall[] {
  if (files)
    return files.map(({ path, change }) =>
      editCall(path, [{ old_string: change?.before ?? "", new_string: change?.after ?? "" }]),
    );
  // The command is not the model's, so no hook can change it.
  if (command !== undefined)
    return (MAPPED.execute_command?.({ command }, context) ?? []).map(({ tool, input }) => ({ tool, input }));
  if (server) {
    const tool = mcpName(server.name, server.tool);
    return [{ tool, input: { ...params }, restore: (changed) => ({ ...changed }) }];
  }
  const mapped = Object.hasOwn(MAPPED, name) ? MAPPED[name] : undefined;
  return mapped?.(params, context) ?? [{ tool: name, input: { ...params } }];
}

function mcpName(server: string, tool: string): string {
  return `mcp__${server}__${tool}`;
}

/** Nothing in the text is taken for a marker line, because the file is not read. */
const NO_FILE = { isMarkup: false, hasMarkers: () => false, contains: () => false };

/** Several blocks are one edit, whose texts are those of the blocks below each other; `edits` has them one by one. */
function editOf(filePath: string, diff: string): ClaudeCall {
  const reader = createBlockReader(NO_FILE);
  const blocks = [...bareLines(diff).map((line) => reader.line(line)), reader.end(true)].filter(
    (block) => block !== undefined,
  );
  const edits = blocks.map(({ search, replace }) => ({
    old_string: search.join("\n"),
    new_string: replace.join("\n"),
  }));
  return editCall(filePath, edits);
}

interface TextEdit {
  old_string: string;
  new_string: string;
}

function editCall(filePath: string, edits: readonly TextEdit[]): ClaudeCall {
  return {
    tool: "Edit",
    input: {
      file_path: filePath,
      old_string: edits.map((edit) => edit.old_string).join("\n"),
      new_string: edits.map((edit) => edit.new_string).join("\n"),
      replace_all: false,
      ...(edits.length > 1 ? { edits } : {}),
    },
  };
}

function patchCalls(input: string, context: ClaudeCallContext): ClaudeCall[] {
  const patch = parsePatch(input);
  // Refused by the tool itself. Hooks still see which files it names.
  if (!patch.ok) return pathsNamed(input).map((path) => editCall(absolute(path, context), []));
  return patch.operations.flatMap((operation): ClaudeCall[] => {
    const path = absolute(operation.path, context);
    if (operation.kind === "add")
      return [{ tool: "Write", input: { file_path: path, content: operation.lines.join("\n") } }];
    if (operation.kind === "delete") return MAPPED.delete_file?.({ path: operation.path }, context) ?? [];
    const edits = operation.hunks.map(({ lines }) => ({
      old_string: sideOf(lines, "+"),
      new_string: sideOf(lines, "-"),
    }));
    const edit = editCall(path, edits);
    if (operation.to === undefined) return [edit];
    return [
      edit,
      {
        tool: "Write",
        input: { file_path: absolute(operation.to, context), content: edit.input.new_string },
      },
    ];
  });
}

/** The lines of a hunk without those of one sign. */
function sideOf(lines: readonly { sign: string; text: string }[], without: "+" | "-"): string {
  return lines.flatMap((line) => (line.sign === without ? [] : [line.text])).join("\n");
}
