/**
 * The contracts of nebula's tools where they are narrower than those of the tools that they stand for. A call keeps the
 * name that the model used, and is held to it when it is prepared, after a restart as well.
 */
import { ToolError } from "../errors.ts";
import { type Invocation, type Tool, type ToolContext, textOutput } from "./tool.ts";
import { displayPath, resolvePath, statOf } from "./tool-paths.ts";

type Prepare = Tool["prepare"];

/** What a name asks for beyond the tool that it stands for; undefined: nothing. */
export function withContract(name: string | undefined, tool: Tool): Tool {
  const contract = name === undefined ? undefined : contracts[name];
  return contract === undefined ? tool : { ...tool, prepare: contract(tool) };
}

const contracts: Readonly<Record<string, (tool: Tool) => Prepare>> = {
  writeFile: (tool) => async (params, context, stream) => {
    const shown = await existing(tool, params, context);
    if (shown !== undefined)
      throw new ToolError(
        `writeFile makes a new file, and ${shown} exists. Replace its content with editFile.`,
      );
    return tool.prepare(params, context, stream);
  },
  editFile: (tool) => async (params, context, stream) => {
    const shown = await existing(tool, params, context);
    if (shown === undefined) {
      const { path } = tool.schema.parse(params);
      throw new ToolError(`editFile replaces a file, and there is none at ${path}. Make it with writeFile.`);
    }
    return tool.prepare(params, context, stream);
  },
  searchInDirectory: (tool) => async (params, context, stream) => {
    const invocation = await tool.prepare(params, context, stream);
    return { ...invocation, run: ({ signal }) => filesWith(tool.schema.parse(params), context, signal) };
  },
};

/** The path as it is shown, where something is there. */
async function existing(tool: Tool, params: unknown, { host }: ToolContext): Promise<string | undefined> {
  const { path } = tool.schema.parse(params);
  const target = resolvePath(host.workspace, String(path));
  return (await host.files.stat(target)) ? displayPath(host.workspace, target) : undefined;
}

/** Matches that are looked through: a file with many of them hides no other. */
const mostMatches = 20_000;

/** The paths of the files that match, one a line, and nothing else. */
async function filesWith(
  params: Record<string, unknown>,
  context: ToolContext,
  signal: AbortSignal,
): ReturnType<Invocation["run"]> {
  const { host } = context;
  const path = resolvePath(host.workspace, String(params.path));
  await statOf(context, path);
  const options = { regex: String(params.regex), contextLines: 0, limit: mostMatches, signal };
  const { hits, more, unread = [] } = await host.search.grep(path, options);
  const lines = hits.map((hit) => hit.path);
  if (more) lines.push("(There are more. Search a smaller folder.)");
  if (unread.length > 0) lines.push(`(Not searched: ${unread.slice(0, 5).join(", ")})`);
  if (lines.length === 0) lines.push(`No file in ${displayPath(host.workspace, path)} contains it.`);
  return textOutput(lines.join("\n"), { text: String(hits.length) });
}
