/** What `sessions.test.ts` and `sessions.long.test.ts` begin with. */
import { expect } from "vitest";
import { PATIENT, stage } from "./stage.ts";

export const EDIT = {
  tool: "replace_in_file",
  params: { path: "neko.txt", diff: "------- SEARCH\ncats\n=======\nmany cats\n+++++++ REPLACE" },
};

export const DONE = { answer: [{ tool: "attempt_completion", params: { result: "All done." } }] };

const LIST = "- [x] read the file\n- [ ] change it\n- [ ] check it";

/** A session with an answer, a plan, an edit, a command and a result. */
export async function busySession(): Promise<{ id: string; rows: unknown[] }> {
  stage.model.setScript({
    turns: [
      { answer: [{ reasoning: "A file." }, { text: "I edit." }, EDIT] },
      {
        answer: [
          {
            tool: "execute_command",
            params: { command: "echo meow; exit 3", requires_approval: false, task_progress: LIST },
          },
        ],
      },
      DONE,
    ],
  });
  const editor = await stage.editor(PATIENT);
  const id = await editor.open(stage.project.folder);
  await editor.prompt(id, "More cats please");
  const rows = editor.transcript(id);
  const plan = editor.of(id, "plan").at(-1);
  expect(plan?.entries).toMatchObject([
    { content: "read the file", status: "completed" },
    { content: "change it", status: "in_progress" },
    { content: "check it", status: "pending" },
  ]);
  expect(await editor.close()).toBe(0);
  return { id, rows };
}

/** A session with one message. */
export async function shortSession(): Promise<string> {
  stage.model.setScript({ turns: [{ answer: [{ text: "Hello." }] }] });
  const editor = await stage.editor();
  const id = await editor.open(stage.project.folder);
  await editor.prompt(id, "More cats please");
  await editor.close();
  return id;
}
