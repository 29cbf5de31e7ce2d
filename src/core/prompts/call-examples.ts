/** Whole calls, one for each form that models get wrong. Only those of tools that the session has are shown. */
import type { PromptFacts } from "./prompt-facts.ts";

interface CallExample {
  /** The tools that it calls. */
  tools: readonly string[];
  title: string;
  /** What precedes the call in the message; shown only in the long form. */
  thought?: string;
  call: string;
  /** Whether small windows show it too. */
  short?: boolean;
}

export function callExamples({ wording, offered }: Pick<PromptFacts, "wording" | "offered">): string {
  const isFull = wording === "full";
  return EXAMPLES.filter(({ tools, short }) => (isFull || short) && tools.every((name) => offered.has(name)))
    .map(({ title, thought, call }, index) => {
      const before = isFull && thought !== undefined ? `<thinking>\n${thought}\n</thinking>\n\n` : "";
      return `## Example ${index + 1}: ${title}\n\n${before}${call}`;
    })
    .join("\n\n");
}

const EXAMPLES: readonly CallExample[] = [
  {
    tools: ["execute_command"],
    short: true,
    title: "a server, with the todo list",
    call: `<execute_command>
<command>npm run dev</command>
<requires_approval>false</requires_approval>
<timeout>10</timeout>
<task_progress>
- [x] Read the files concerned
- [x] Make the change
- [ ] Look at the page
</task_progress>
</execute_command>`,
  },
  {
    tools: ["write_to_file"],
    short: true,
    title: "a new file",
    call: `<write_to_file>
<path>config/theme.json</path>
<content>
{
  "primaryColor": "#007bff"
}

</content>
</write_to_file>`,
  },
  {
    tools: ["replace_in_file"],
    short: true,
    title: "several changes to one file: change a line, and move lines up",
    thought:
      "reset belongs before next, and it needs write. I have read the file, so I can copy its lines. All of it goes into one call, in the order of the file.",
    call: `<replace_in_file>
<path>src/counter.ts</path>
<diff>
------- SEARCH
import { read } from "./store";
=======
import { read, write } from "./store";
+++++++ REPLACE

------- SEARCH
export function next() {
=======
function reset() {
  write(0);
}

export function next() {
+++++++ REPLACE

------- SEARCH
function reset() {
  write(0);
}

=======
+++++++ REPLACE
</diff>
</replace_in_file>`,
  },
  {
    tools: ["apply_patch"],
    title: "one patch for two files, with two changes in the first",
    call: `<apply_patch>
<input>
*** Begin Patch
*** Update File: src/counter.ts
@@ export function next() {
   const step = 1;
-  const value = read();
+  const value = load();
   write(value + step);
   return value + step;
@@ export function current() {
-  return read();
+  return load();
 }
*** Delete File: src/read.ts
*** End Patch
</input>
</apply_patch>`,
  },
  {
    tools: ["read_file"],
    title: "some lines of a long file",
    call: `<read_file>
<path>src/server/router.py</path>
<start_line>120</start_line>
<end_line>180</end_line>
</read_file>`,
  },
  {
    tools: ["read_file", "search_files"],
    short: true,
    title: "two read-only calls in one message",
    call: `<read_file>
<path>src/counter.ts</path>
</read_file>
<search_files>
<path>src</path>
<regex>\\breset\\(</regex>
<file_pattern>*.ts</file_pattern>
</search_files>`,
  },
  {
    tools: ["ask_followup_question"],
    title: "a question with answers to choose from",
    call: `<ask_followup_question>
<question>Which database should the service use?</question>
<options>["PostgreSQL", "SQLite"]</options>
</ask_followup_question>`,
  },
  {
    tools: ["plan_mode_respond"],
    title: "a plan, in PLAN MODE",
    call: `<plan_mode_respond>
<response>
1. Move the counter into the store: \`src/store.ts\`, \`src/counter.ts\`.
2. Adapt the tests in \`test/counter.test.ts\`.
3. Check with \`npm test\`.

If you agree, switch to ACT MODE.
</response>
</plan_mode_respond>`,
  },
  {
    tools: ["use_mcp_tool"],
    title: "a tool of an MCP server",
    call: `<use_mcp_tool>
<server_name>weather</server_name>
<tool_name>get_forecast</tool_name>
<arguments>
{ "city": "Nagoya", "days": 3 }
</arguments>
</use_mcp_tool>`,
  },
  {
    tools: ["browser_action"],
    title: "opening a page in the browser; one action in a message",
    call: `<browser_action>
<action>launch</action>
<url>http://localhost:3000/cart</url>
</browser_action>`,
  },
  {
    tools: ["new_task"],
    title: "hand the work over to a new task",
    call: `<new_task>
<context>
1. Request: "Keep the counter in the store." src/store.ts is done.
2. Technical facts: TypeScript, Vitest.
3. Files and code: src/counter.ts still saves by itself (function save).
4. Problems: none open.
5. Pending work: replace save, then run npm test.
</context>
</new_task>`,
  },
  {
    tools: ["attempt_completion"],
    title: "the end of a task",
    thought: "The edits are saved and all 42 tests passed. Nothing is open.",
    call: `<attempt_completion>
<result>
The counter now keeps its value in the store (\`src/store.ts\`, \`src/counter.ts\`). \`npm test\` passes.
</result>
<task_progress>
- [x] Move the counter into the store
- [x] Run the tests
</task_progress>
</attempt_completion>`,
  },
];
