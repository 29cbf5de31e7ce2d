import type { PromptFacts } from "../prompt-facts.ts";

/** "": the session has no tool that edits. */
export function editingFiles({ wording, offered }: PromptFacts): string {
  const tools = Object.entries(USES).flatMap(([name, use]) => (offered.has(name) ? [`- ${use}`] : []));
  if (tools.length === 0) return "";
  if (wording === "compact") return IN_SHORT;
  const blocks = offered.has("replace_in_file") ? `\n\n${BLOCKS}` : "";
  return `EDITING FILES

# Which tool

${tools.join("\n")}

Call the tool at once, without showing the change in your text first.${blocks}

# After an edit

The editor may reformat a file when it is saved, and the user may change what you proposed. The result shows the file as it is now, or the regions that changed. Base the next edit on that, not on what you sent. Repair new problems that the result reports.`;
}

/** When to use which tool. */
const USES: Readonly<Record<string, string>> = {
  replace_in_file: "replace_in_file is for nearly everything: it touches only the lines that you name.",
  write_to_file: "write_to_file is for new files, and for files of which most lines change.",
  apply_patch: "apply_patch is for one change that spans several files, and for moving a file.",
};

const BLOCKS = `# SEARCH/REPLACE blocks

- Read the file, or the lines in question, before you write a block. Copy the lines of SEARCH exactly: indentation, quotes, comments and blank lines included, but without the line numbers that read_file puts before them.
- SEARCH has whole lines, never a part of a line, and just enough of them to occur once in the file.
- Put all changes to one file into one call, one block for each change, in the order of the file. All blocks are compared with the file as it was before the call. Each block begins with its SEARCH line and ends with its own +++++++ REPLACE line.
- To insert lines, search for the line beside them and repeat it in REPLACE. To delete lines, leave REPLACE empty. To move lines, delete them in one block and insert them in another.
- If the call is refused, nothing was changed, not even by the blocks that fit. Read the lines that the result shows, correct the block that failed, and send all blocks again. After two refusals, read the file again.`;

const IN_SHORT = `EDITING FILES

- Use replace_in_file by default, write_to_file for new or mostly changed files, apply_patch to change several files or move one.
- Do not show the change in your text first.
- Put all changes to one file into one call, and send all of them again if it is refused. To move lines, delete them in one block and insert them in another.
- The editor may reformat what is saved, and the user may change it: base your next change on the result.`;
