/** What the model is told for each of the product's own slash commands. */

import type { Mode } from "../../shared/message.ts";
import type { OwnCommand } from "../context/slash-commands.ts";
import type { Shell } from "../ports/shell.ts";

export interface CommandFacts {
  shell: Shell["kind"];
  hostName: string;
  os: string;
  model: string;
  mode: Mode;
}

/** The instructions that stand before the person's words, in their tag. */
export function explicitInstructions(name: string, instructions: string): string {
  return `<explicit_instructions type="${name}">\n${instructions.trim()}\n</explicit_instructions>`;
}

export function commandInstructions(name: OwnCommand, facts: CommandFacts): string {
  switch (name) {
    case "newtask":
      return newTask;
    case "compact":
    case "smol":
      return condense;
    case "newrule":
      return newRule;
    case "reportbug":
      return reportBug(facts);
    case "deep-planning":
      return deepPlanning(facts);
    case "init":
      return init;
  }
}

const newTask = `The person wants to go on in a new task. Call new_task now, with a context from which somebody who has seen nothing of this conversation can go on:
1. Current work: what was being done, most of all in the last messages.
2. Technical facts: languages, libraries, conventions and decisions that matter.
3. Files and code: each file that was read, made or changed, why it matters, and the code that is needed.
4. Problems: what was solved and how, and what is still open.
5. Pending work: what remains, in order, with the very next step; quote the last messages where their wording counts.

What the person wrote with the command, if anything, says what the new task is about. If there is nothing to carry over yet, ask them with ask_followup_question.`;

const condense = `The person wants the conversation condensed. Call condense now, with a summary from which the work can go on when the earlier messages are gone: the task in the person's words, the decisions and why, each file with its state, what was run and what came of it, what is pending, and the very next step. Heed what the person wrote with the command, if anything.`;

const newRule = `The person wants a rule file that holds what was agreed on in this conversation, for all later tasks of this project. Call new_rule now:
- path: a short name that says what it is about, with hyphens and .md, in .nekode/rules (or where the project already keeps such files). Look first, so that no file is replaced.
- content: Markdown. Say how to work in this project: the way to communicate, the conventions, the commands to build and test, what to avoid. Only what was really said or shown here, in short sentences that can be followed; nothing invented.

If the conversation holds nothing yet that could be a rule, ask the person with ask_followup_question what it should say.`;

const reportBug = ({
  hostName,
  os,
  model,
}: CommandFacts) => `The person wants to report a fault of Nekode itself. Help them to write a report that its makers can act on. Ask with ask_followup_question, one question at a time, only for what the conversation does not tell:
- what they did, step by step;
- what happened, with the exact wording of messages;
- what they expected.

Then present the report with attempt_completion as Markdown: a title of one line, the sections Steps, What happened, What was expected, and Facts (host: ${hostName}; system: ${os}; model: ${model === "" ? "not set" : model}). Leave out keys, personal names and contents of private files. Send it nowhere: the person copies it to where the project takes reports.`;

const init = `The person wants a file that tells an agent how to work in this project. Read before you write:
1. The manifest files, the configuration of build, test, lint and formatting, the CI files, and the README.
2. Instructions that are already there for agents (AGENTS.md, CLAUDE.md, .cursor, .clinerules, .github/copilot-instructions.md): keep what holds.
3. A few source files of each part, for the structure and the conventions.

Then write AGENTS.md at the top of the project; if there is one, bring it up to date with small edits. In some 20 to 60 lines:
- what the project is, in a sentence or two, and how its folders divide the work;
- the commands to build, to test everything and a single test, to lint and to format, as they really are;
- the conventions that the code shows: language, names, errors, imports, tests;
- what is easy to get wrong.

Only what you have seen, and nothing that every project has in common. End with attempt_completion.`;

interface LookCommands {
  files: string;
  definitions: string;
  imports: string;
  manifests: string;
  notes: string;
  section(from: string, to: string | undefined): string;
}

const posix: LookCommands = {
  files: `find . -type f -not -path '*/node_modules/*' -not -path '*/.git/*' | sed 's/.*\\.//' | sort | uniq -c | sort -rn | head -20`,
  definitions: `grep -rnE '^(export |public |async )*(class|interface|type|struct|enum|function|def|func|fn) ' --include='*.ts' --include='*.py' --include='*.go' . | head -80`,
  imports: `grep -rhoE "^(import|from|use|#include|require).*" --include='*.ts' --include='*.py' --include='*.go' . | sort | uniq -c | sort -rn | head -40`,
  manifests: `ls package.json pyproject.toml requirements*.txt Cargo.toml go.mod pom.xml build.gradle* Gemfile composer.json 2>/dev/null`,
  notes: `grep -rnE 'TODO|FIXME|HACK|XXX' --exclude-dir=node_modules --exclude-dir=.git . | head -40`,
  section: (from, to) =>
    `sed -n '/^\\[${from}\\]/,${to === undefined ? "$" : `/^\\[${to}\\]/`}p' implementation_plan.md`,
};

const powershell: LookCommands = {
  files: `Get-ChildItem -Recurse -File | Where-Object FullName -notmatch 'node_modules|\\.git\\\\' | Group-Object Extension | Sort-Object Count -Descending | Select-Object -First 20 Count, Name`,
  definitions: `Get-ChildItem -Recurse -Include *.ts,*.py,*.cs | Select-String -Pattern '^\\s*(export |public |async )*(class|interface|type|struct|enum|function|def) ' | Select-Object -First 80`,
  imports: `Get-ChildItem -Recurse -Include *.ts,*.py,*.cs | Select-String -Pattern '^(import|from|using|#include) ' | Group-Object Line | Sort-Object Count -Descending | Select-Object -First 40 Count, Name`,
  manifests: `Get-ChildItem package.json, pyproject.toml, requirements*.txt, Cargo.toml, go.mod, pom.xml, *.csproj -ErrorAction SilentlyContinue`,
  notes: `Get-ChildItem -Recurse -File | Where-Object FullName -notmatch 'node_modules|\\.git\\\\' | Select-String -Pattern 'TODO|FIXME|HACK|XXX' | Select-Object -First 40`,
  section: (from, to) =>
    `(Get-Content -Raw implementation_plan.md) -replace '(?s)^.*?(?=\\[${from}\\])', ''${to === undefined ? "" : ` -replace '(?s)\\[${to}\\].*$', ''`}`,
};

const cmd: LookCommands = {
  files: `dir /s /b /a-d | findstr /v /i "node_modules .git\\\\"`,
  definitions: `findstr /s /n /r "^export ^class ^def ^function ^interface" *.ts *.py *.cs`,
  imports: `findstr /s /r "^import ^from ^using ^#include" *.ts *.py *.cs`,
  manifests: `dir /b package.json pyproject.toml requirements*.txt Cargo.toml go.mod pom.xml *.csproj 2>nul`,
  notes: `findstr /s /n "TODO FIXME HACK XXX" *.ts *.py *.cs`,
  section: (from) => `findstr /n "^\\[" implementation_plan.md (then read_file from the line of [${from}])`,
};

const planSections: readonly (readonly [title: string, first: string, details: readonly string[]])[] = [
  [
    "Overview",
    "One sentence: the goal.",
    ["Some paragraphs: scope, context, approach, why it is needed, how it fits into what is there."],
  ],
  [
    "Types",
    "One sentence: what changes in the types.",
    ["Each type, interface, enum or data structure in full: fields, types, validation, relations."],
  ],
  [
    "Files",
    "One sentence: which files change.",
    [
      "New files, with path and purpose",
      "Files to change, with what changes in each",
      "Files to delete or move",
      "Configuration to bring up to date",
    ],
  ],
  [
    "Functions",
    "One sentence: which functions change.",
    [
      "New ones: name, signature, file, purpose",
      "Changed ones: name, file, what changes",
      "Removed ones: name, file, why, what takes their place",
    ],
  ],
  [
    "Classes",
    "One sentence: which classes change.",
    [
      "New ones: name, file, main methods, what they extend",
      "Changed ones: name, file, what changes",
      "Removed ones: name, file, what takes their place",
    ],
  ],
  [
    "Dependencies",
    "One sentence: which dependencies change.",
    ["New packages, versions, and what has to be set up for them."],
  ],
  [
    "Testing",
    "One sentence: how it is tested.",
    ["New test files, changed tests, and how the whole is checked."],
  ],
  [
    "Implementation Order",
    "One sentence: the order of the work.",
    ["Numbered steps, so that each can be checked and none breaks the one before."],
  ],
];

function deepPlanning({ shell, mode }: CommandFacts): string {
  const look = shell === "powershell" ? powershell : shell === "cmd" ? cmd : posix;
  const document = planSections
    .map(
      ([title, first, details]) =>
        `[${title}]\n${first}\n\n${details.map((line) => (details.length > 1 ? `- ${line}` : line)).join("\n")}`,
    )
    .join("\n\n");
  const reading = planSections
    .map(([title], index) => `# ${title}\n${look.section(title, planSections[index + 1]?.[0])}`)
    .join("\n\n");
  const planning = mode === "plan";
  const overview = planning
    ? "Commands cannot run in PLAN MODE. Get the overview with list_files, list_code_definition_names and search_files: which languages there are, what is defined, imported and declared in manifests, and which notes of unfinished work the code holds."
    : `Commands to begin with; adapt them to the languages of this project, leave dependency folders out, and keep their output short:

# Kinds of files
${look.files}

# Definitions
${look.definitions}

# What is imported
${look.imports}

# Manifests
${look.manifests}

# Notes of unfinished work
${look.notes}`;
  const writing = planning
    ? "The current mode is PLAN MODE, in which no file can be written. Present the whole plan with plan_mode_respond, in the form below, and ask the user to switch to ACT MODE. Once they have, write it to implementation_plan.md at the top of the project before you do anything else. It has exactly these sections and marks:"
    : "Write the plan to implementation_plan.md at the top of the project, with exactly these sections and marks:";
  const begin = planning ? "When the plan is on disk, call new_task" : "Call new_task";
  return `Make a complete plan for what the person asks below before any code is written. Four steps, in this order, none left out. You plan; you do not implement.

## STEP 1: Silent investigation

Find out how the project works before you propose anything. Read the sources, the configuration and the documents concerned with the reading tools; use commands for the overview. Do not comment on what you find as you go; speak only where you need something from the person.

${overview}

## STEP 2: Discussion and questions

Ask the person, with ask_followup_question, short questions whose answers change the plan: what is unclear, which of several sound ways they prefer, what you would otherwise have to assume. Ask nothing that the project already answers, and nothing at all if nothing is open.

## STEP 3: Plan document

${writing}

# Implementation Plan

${document}

Name exact paths, functions and types. Somebody who knows nothing of this conversation must be able to carry it out without looking into anything again.

## STEP 4: Implementation task

${begin} to begin the implementation. Its context must stand on its own and contain:
- the way to the plan: "Refer to @/implementation_plan.md for the whole plan; read it again from time to time."
- these commands, adapted to the plan as written, to read one section at a time:

${reading}

- the todo list, written out in the context as it is, without a tag around it:

task_progress Items:
- [ ] Step 1: what is done first
- [ ] Step 2: what is done next
- [ ] Step N: what is done last
${planning ? "\n- a request to switch to ACT MODE, if the mode is still PLAN MODE by then.\n" : ""}
Give the same list in the task_progress parameter of that call. Code is written only after the person has agreed to the new task.

What the person wrote with the command follows.`;
}
