import * as z from "../../shared/zod.ts";
import { withSpanEdits } from "../edits/span-edits.ts";
import { NothingToDo, ToolError } from "../errors.ts";
import type { CodeSymbols, FileEdits, OfferedAction, SymbolChange, TextSpan } from "../ports/symbols.ts";
import { withEol } from "../text.ts";
import { readOriginal } from "./editing/original-file.ts";
import type { PatchFileChange } from "./editing/patch-choice.ts";
import { filesInvocation } from "./editing/patch-invocation.ts";
import { symbolSpan } from "./symbols/symbol-address.ts";
import { defineTool, PATH_NAMES, type ToolContext } from "./tool.ts";
import { displayPath, locatePath } from "./tool-paths.ts";

/** Files of one change. More are a sign that something other than meant is renamed. */
const MOST_FILES = 300;
/** Actions that one result lists. */
const MOST_ACTIONS = 40;

export const refactorCode = defineTool({
  name: "refactor_code",
  paramNames: {
    path: PATH_NAMES,
    symbol: ["text", "name", "identifier", "symbol_name", "old_name"],
    line: ["line_number", "start_line"],
    new_name: ["rename_to", "newName", "to"],
    action: ["title", "code_action", "fix"],
  },
  presentation: {
    icon: "edit",
    title: { doing: "Changing", done: "Changed" },
    titles: {
      rename: { doing: "Renaming", done: "Renamed" },
      action: { doing: "Applying", done: "Applied" },
    },
    row: "tool",
    question: "Apply these changes?",
    opens: ["diff"],
  },
  access: "edit",
  needs: "codeSymbols",
  knownWhenPrepared: "files",
  description:
    "Renames a symbol in all files, or applies a quick fix or refactoring of the editor's language server at a place.",
  guide: {
    description:
      "Renames a symbol in all files that use it, or applies a quick fix or refactoring that the editor's language server offers at a place. The user approves the whole change at once. For a rename, use it rather than edits of each file.",
    params: {
      path: "The file in which the symbol stands.",
      line: "The symbol's line in that file. Needed if the name is on several lines.",
      symbol:
        "The symbol's name as it stands on the line. If that is not unique on the line, more of the line, from the name on.",
      new_name: "Renames the symbol to this.",
      action:
        "The title of the quick fix or refactoring. Without this and new_name, the result lists what there is.",
    },
  },
  schema: z.object({
    path: z.string().check(z.describe("The file with the symbol.")),
    line: z.optional(z.int().check(z.gte(1))).check(z.describe("Its line.")),
    symbol: z.string().check(z.describe("Its name, or more of the line from the name on.")),
    new_name: z.optional(z.string()).check(z.describe("Renames it.")),
    action: z.optional(z.string()).check(z.describe("Title of a fix; without both, lists them.")),
  }),
  subject: ({ symbol, new_name: name, action, path }) => {
    const text = (value: unknown) => (typeof value === "string" ? value : "");
    if (typeof name === "string") return `rename ${text(symbol)} → ${name}`;
    return typeof action === "string" ? `action ${action}` : text(path);
  },
  async prepare({ path: named, line, symbol, new_name: name, action }, context) {
    const { host, signal } = context;
    const { codeSymbols: symbols, workspace } = host;
    if (!symbols) throw new ToolError("Symbols are not available in this folder. Edit the files instead.");
    if (name !== undefined && action !== undefined)
      throw new ToolError("Give either new_name or action, not both. Nothing was changed.");
    const path = await locatePath(host, named);
    const shown = displayPath(workspace, path);
    const original = await readOriginal(context, path);
    if (!original) throw new ToolError(`There is no file at ${shown}. Nothing was changed.`);
    await refuseUnreadable(context, path, shown);
    const span = symbolSpan(original.text, { shown, line, symbol });
    const state = await symbols.state(path, signal);
    if (state === "none")
      throw new ToolError(
        `No language server that is running can refactor ${shown}. Nothing was changed. Edit the files instead.`,
      );
    // A change by a server that does not know all files yet would leave some of them as they were.
    if (state === "starting")
      throw new ToolError(
        "The language server is still starting, so it does not know all files yet. Nothing was changed. Try again later.",
      );
    const change =
      name === undefined
        ? await changeOfAction(symbols, { path, span, signal }, action)
        : await symbols.rename(path, span.start, name, signal);
    const changes = await fileChanges(context, change);
    const notes =
      change.command === undefined
        ? []
        : [`The editor would run its command ${change.command} after this, which was not done.`];
    return filesInvocation(context, changes, { notes, briefly: true, retry: "Call refactor_code again." });
  },
});

/** The replies quote lines of the file and name what the language server knows of it, before any approval. */
async function refuseUnreadable(context: ToolContext, path: string, shown: string): Promise<void> {
  if (context.seen.has(path)) return;
  const reason = await context.unreadable(path);
  if (reason === undefined) return;
  throw new ToolError(
    `${shown} may not be read without approval: ${reason}. Nothing was changed. read_file asks the user for it.`,
  );
}

async function changeOfAction(
  symbols: CodeSymbols,
  { path, span, signal }: { path: string; span: TextSpan; signal: AbortSignal },
  title: string | undefined,
): Promise<SymbolChange> {
  const offered = await symbols.actions(path, span, signal);
  const list = listOf(offered);
  if (title === undefined) throw new NothingToDo(`Nothing was changed. ${list}`);
  const action = offered.find((each) => each.title === title);
  if (!action) throw new ToolError(`No action here has the title ${JSON.stringify(title)}. ${list}`);
  const change = await symbols.actionChange(path, span, action, signal);
  if (change) return change;
  throw new ToolError(
    `${JSON.stringify(title)} runs a command of the editor, which this tool does not do. Nothing was changed.`,
  );
}

function listOf(actions: readonly OfferedAction[]): string {
  if (actions.length === 0) return "The language server offers no fixes or refactorings at this place.";
  const lines = actions
    .slice(0, MOST_ACTIONS)
    .map(({ title, kind }) => `- ${title}${kind === "" ? "" : ` (${kind})`}`);
  const more = actions.length - lines.length;
  return `Choose one of these titles as action:\n${[...lines, ...(more > 0 ? [`(${more} more)`] : [])].join("\n")}`;
}

/** The change as one of texts that are known. Throws ToolError for all that is not an edit of existing text. */
async function fileChanges(
  context: ToolContext,
  { files, hasOthers }: SymbolChange,
): Promise<PatchFileChange[]> {
  if (hasOthers)
    throw new ToolError(
      "The language server would also create, rename or delete files, which this tool does not do. Nothing was changed.",
    );
  if (files.length > MOST_FILES)
    throw new ToolError(
      `The change affects ${files.length} files; at most ${MOST_FILES} are possible. Nothing was changed.`,
    );
  const changes: PatchFileChange[] = [];
  for (const file of files) {
    const change = await fileChange(context, file);
    if (change) changes.push(change);
  }
  if (changes.length === 0) throw new NothingToDo("The language server would change nothing.");
  return changes;
}

/** undefined: the edits change nothing. */
async function fileChange(
  context: ToolContext,
  { path, text, edits }: FileEdits,
): Promise<PatchFileChange | undefined> {
  const name = displayPath(context.host.workspace, path);
  const original = await readOriginal(context, path);
  const mark = original?.text.startsWith("\ufeff") ? "\ufeff" : "";
  const known = original?.text.slice(mark.length);
  if (!original || known === undefined || withEol(known, "\n") !== withEol(text, "\n"))
    throw new ToolError(
      `${name} is not as the language server knows it: it may have just changed. Nothing was changed. Try again.`,
    );
  const content = withSpanEdits(known, edits);
  if (content === undefined)
    throw new ToolError(`The language server's edits do not fit ${name}. Nothing was changed.`);
  return content === known ? undefined : { kind: "update", path, name, original, content: mark + content };
}
