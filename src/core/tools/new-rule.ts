import { join } from "node:path";
import * as z from "../../shared/zod.ts";
import { ToolError } from "../errors.ts";
import { PROJECT_RULES_FOLDER } from "../instruction-kinds.ts";
import { readOriginal } from "./editing/original-file.ts";
import { prepareStreamed } from "./editing/prepared-edit.ts";
import { savedFile } from "./editing/saved-text.ts";
import { CONTENT_NAMES, defineTool, PATH_NAMES } from "./tool.ts";

export const newRule = defineTool({
  name: "new_rule",
  paramNames: { path: PATH_NAMES, content: CONTENT_NAMES },
  resultShortening: { shows: savedFile },
  presentation: {
    icon: "tools",
    title: { doing: "Writing rule", done: "Wrote rule" },
    row: "tool",
    question: "Save this rule for the project?",
  },
  access: "edit",
  description: `Writes a project rule for every later task. Only on request.`,
  guide: {
    description:
      "Writes a rule file that every later task in this project follows. Use it only when the user asks for a rule.",
    params: {
      path: `File name of the rule, such as testing.md. It is saved in ${PROJECT_RULES_FOLDER}.`,
      content: "The rule, in short Markdown.",
    },
  },
  schema: z.object({
    path: z.string().check(z.describe(`A file name such as testing.md; saved in ${PROJECT_RULES_FOLDER}.`)),
    content: z.string().check(z.minLength(1), z.describe("Short Markdown.")),
  }),
  subjectParam: "path",
  async prepare({ path: named, content }, context) {
    const { root } = context.host.workspace;
    if (root === undefined)
      throw new ToolError("No folder is open, so there is no project to make a rule for.");
    const path = join(root, PROJECT_RULES_FOLDER, ruleName(named));
    const original = await readOriginal(context, path);
    const text = content.endsWith("\n") ? content : `${content}\n`;
    const edit = await prepareStreamed(context, { path, original, text }, undefined, true);
    return { ...edit.invocation(), alwaysAsks: true };
  },
});

/** `testing.md` of `testing`, `testing.md` and `.nekode/rules/testing.md`. Throws ToolError for a path elsewhere. */
function ruleName(named: string): string {
  const name = named
    .trim()
    .replace(/^(?:\.\/)?\.nekode[/\\]rules[/\\]/, "")
    .replace(/\.md$/i, "");
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,99}$/u.test(name)) {
    throw new ToolError(
      `${JSON.stringify(named)} is not the name of a rule. Give a file name such as testing.md; it goes into ${PROJECT_RULES_FOLDER}.`,
    );
  }
  return `${name}.md`;
}
