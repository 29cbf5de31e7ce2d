/** Parses the command line of `nekode hooks` into one validated object. */
import path from "node:path";
import { eventNamed } from "../../core/hooks/hook-files.ts";
import { type HookEvent, hookEventSchema } from "../../shared/hook-list.ts";
import { commandLine } from "../command-line.ts";
import { UsageError } from "../usage-error.ts";

export const HOOKS_USAGE = `Usage: nekode hooks list [--json]
       nekode hooks approve ID... | --all
       nekode hooks on ID | off ID
       nekode hooks ask-if-it-fails ID [--off]
       nekode hooks test EVENT [--tool NAME] [--input JSON]

Manages hooks: programs that run at certain moments of a task, as you set them up for Claude Code, VS Code, GitHub Copilot
or Codex. A hook runs only after you have approved exactly what it is.

  list             list the hooks of this project and of your home folder, and what is wrong in their files
  approve          show what a hook runs, and approve it; --all approves every hook that the list shows
  on, off          let a hook run again, or switch it off
  ask-if-it-fails  ask about a call if the hook fails, takes too long or has changed; --off decides nothing then
  test             run the approved hooks of an event with a sample, and print what would happen

  --tool NAME      tool of the sample, such as Bash, Write or mcp__server__tool (default: Bash)
  --input JSON     input of that tool (default: {"command": "git push"})
  --json           list as JSON, one hook per line
  --cwd DIR        project folder (default: current folder)
  --data-dir DIR   folder that stores the approvals (NEKODE_DATA_DIR)

Events: ${hookEventSchema.options.join(", ")}.

Exit codes: 0 done, 1 error, 2 invalid usage, 4 test: a hook would block.
`;

export type HooksAction =
  | { kind: "help" | "list" }
  /** No ids: every hook. */
  | { kind: "approve"; ids: readonly string[] }
  | { kind: "on" | "off"; id: string }
  | { kind: "ask-if-it-fails"; id: string; on: boolean }
  | { kind: "test"; event: HookEvent; tool: string; input: Record<string, unknown> };

export interface HooksOptions {
  action: HooksAction;
  json: boolean;
  /** Absolute. */
  cwd: string;
  dataDir: string | undefined;
}

const parse = (args: readonly string[]) =>
  commandLine(args, {
    all: { type: "boolean" },
    off: { type: "boolean" },
    tool: { type: "string" },
    input: { type: "string" },
    json: { type: "boolean" },
    cwd: { type: "string" },
    "data-dir": { type: "string" },
    help: { type: "boolean", short: "h" },
  });
type Values = ReturnType<typeof parse>["values"];

/** `args`: the arguments after `hooks`. Throws UsageError. */
export function readHooksOptions(args: readonly string[], cwd: string): HooksOptions {
  const { values, positionals } = parse(args);
  const dataDir = values["data-dir"];
  return {
    action: values.help ? { kind: "help" } : actionOf(positionals, values),
    json: values.json ?? false,
    cwd: path.resolve(cwd, values.cwd ?? ""),
    dataDir: dataDir === undefined ? undefined : path.resolve(cwd, dataDir),
  };
}

function actionOf([kind = "list", ...rest]: readonly string[], values: Values): HooksAction {
  switch (kind) {
    case "list":
      if (rest.length > 0) throw new UsageError("hooks list accepts no ID");
      return { kind };
    case "approve":
      if ((rest.length === 0) !== (values.all === true))
        throw new UsageError("hooks approve requires the IDs of hooks, or --all");
      return { kind, ids: rest };
    case "on":
    case "off":
      return { kind, id: only(kind, rest, "the ID of a hook") };
    case "ask-if-it-fails":
      return { kind, id: only(kind, rest, "the ID of a hook"), on: !values.off };
    case "test":
      return testOf(only(kind, rest, "an EVENT"), values);
    default:
      throw new UsageError(
        `hooks accepts list, approve, on, off, ask-if-it-fails and test, not ${JSON.stringify(kind)}`,
      );
  }
}

function only(kind: string, [value, ...more]: readonly string[], what: string): string {
  if (value === undefined || more.length > 0) throw new UsageError(`hooks ${kind} requires ${what}`);
  return value;
}

function testOf(name: string, { tool = "Bash", input }: Values): HooksAction {
  const event = eventNamed(name);
  if (!event)
    throw new UsageError(
      `EVENT must be one of ${hookEventSchema.options.join(", ")}, not ${JSON.stringify(name)}`,
    );
  return { kind: "test", event, tool, input: input === undefined ? { command: "git push" } : inputOf(input) };
}

function inputOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new UsageError("--input requires a JSON object");
}
