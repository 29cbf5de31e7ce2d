/** The workflows of a project: files whose text the slash command of the same name sends. */
import { join } from "node:path";
import { rulesFileFaultText } from "../../shared/words/notice-words.ts";
import { reasonInEnglish } from "../../shared/words/reasons/reasons.ts";
import { translator } from "../../shared/words/task-words.ts";
import { messageOf } from "../errors.ts";
import { WORKFLOWS } from "../instruction-kinds.ts";
import type { Host } from "../ports/host.ts";
import { readDescription } from "./front-matter.ts";
import { readInstructionFile } from "./instruction-file.ts";

/** Maximum number of workflows; the others are ignored. */
const MAX_WORKFLOWS = 100;
/** Characters of the longest description. */
const DESCRIPTION_LENGTH = 200;

interface Workflow {
  text: string;
  /** From its front matter. */
  description?: string;
}

/** Names of the project's workflows, except for reserved ones; none in an untrusted workspace. */
export async function findWorkflows(
  { files, workspace }: Host,
  isReserved: (name: string) => boolean,
): Promise<string[]> {
  if (!workspace.trusted || workspace.root === undefined) return [];
  const entries = await files.list(join(workspace.root, WORKFLOWS.path)).catch(() => []);
  return entries
    .filter((entry) => entry.kind === "file" && WORKFLOWS.names.test(entry.name))
    .map((entry) => entry.name.slice(0, -".md".length))
    .filter((name) => !isReserved(name))
    .sort()
    .slice(0, MAX_WORKFLOWS);
}

/** From the front matter, otherwise the first line; "": there is none, or the workflow cannot be used. */
export async function workflowDescription(host: Host, name: string): Promise<string> {
  const { text, description } = await readWorkflow(host, name).catch((): Workflow => ({ text: "" }));
  const withoutMarks = (line: string) => line.replace(/^[#\s]+/, "");
  const shown =
    description ??
    text
      .split("\n")
      .map(withoutMarks)
      .find((line) => line !== "") ??
    "";
  return shown.slice(0, DESCRIPTION_LENGTH);
}

/** A workflow's text, or a note for the model if it cannot be read. */
export async function workflowInstructions(host: Host, name: string): Promise<string> {
  try {
    return (await readWorkflow(host, name)).text;
  } catch (error) {
    return `(The workflow ${name} cannot be used: ${messageOf(error)}. Tell the user.)`;
  }
}

/** Rejects with an Error that states why the workflow cannot be used. */
async function readWorkflow(host: Host, name: string): Promise<Workflow> {
  const root = host.workspace.root ?? "";
  const read = await readInstructionFile(host, join(root, WORKFLOWS.path, `${name}.md`), root);
  if ("text" in read) {
    const content = await readDescription(read.text);
    if ("why" in content) throw new Error(reasonInEnglish(content.why));
    return content;
  }
  // In English, because only the model receives it.
  const detail = read.why && reasonInEnglish(read.why);
  throw new Error(rulesFileFaultText(translator({}), read.fault, detail));
}
