/** Correct calls, one for each form that models get wrong. */
export const CALL_EXAMPLES = `## Example 1: a command, with the todo list after it

<execute_command>
<command>npm run dev</command>
<requires_approval>false</requires_approval>
<task_progress>
- [x] Read the files concerned
- [x] Make the change
- [ ] Look at the page
</task_progress>
</execute_command>

## Example 2: a new file

<write_to_file>
<path>config/theme.json</path>
<content>
{
  "theme": {
    "primaryColor": "#007bff"
  }
}
</content>
</write_to_file>

## Example 3: several changes to one file: change a line, delete lines, insert the same lines elsewhere

<replace_in_file>
<path>src/counter.ts</path>
<diff>
------- SEARCH
import { read } from "./store";
=======
import { read, write } from "./store";
+++++++ REPLACE

------- SEARCH
function reset() {
  write(0);
}

=======
+++++++ REPLACE

------- SEARCH
export function next() {
=======
function reset() {
  write(0);
}

export function next() {
+++++++ REPLACE
</diff>
</replace_in_file>

## Example 4: two read-only calls in one message

<read_file>
<path>src/counter.ts</path>
</read_file>
<search_files>
<path>src</path>
<regex>\\breset\\(</regex>
<file_pattern>*.ts</file_pattern>
</search_files>

## Example 5: hand the work over to a new task

<new_task>
<context>
1. Current work: the counter moves into the store. src/store.ts is done.
2. Technical facts: TypeScript, Vitest.
3. Files and code: src/counter.ts still saves by itself (function save).
4. Problems: none open.
5. Pending work: replace save, then run npm test.
</context>
</new_task>`;
