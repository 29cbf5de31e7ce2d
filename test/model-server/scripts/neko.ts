import type { Script, ScriptPart } from "../server.ts";

export interface NekoOptions {
  /** Default `neko.txt`. */
  path?: string;
  /** The line before; default the first sentence of the novel. */
  before?: string;
  /** The line after; default the same with a dog. */
  after?: string;
  /** Characters in a delta; default 12. */
  chunkSize?: number;
  /** Milliseconds before each delta; default 0. */
  pace?: number;
  /** A hold before the edit, after the reasoning. */
  holdBeforeEdit?: string;
}

export const NEKO_BEFORE = "吾輩は猫である。名前はまだ無い。";
export const NEKO_AFTER = "吾輩は犬である。名前はまだ無い。";

const STEPS = ["要件を確かめる", "ファイルの内容を確かめる", "「猫」を「犬」に置き換える", "結果を確かめる"];

/** A checklist with the first `done` steps ticked. */
export function checklist(steps: readonly string[], done: number): string {
  return steps.map((step, index) => `- [${index < done ? "x" : " "}] ${step}`).join("\n");
}

/**
 * "Change the cat to a dog": reasoning and a replace_in_file with task_progress; then attempt_completion if the edit is
 * saved, or an attempt_completion that reports the rejection.
 */
export function nekoScript(options: NekoOptions = {}): Script {
  const {
    path = "neko.txt",
    before = NEKO_BEFORE,
    after = NEKO_AFTER,
    chunkSize,
    pace,
    holdBeforeEdit,
  } = options;
  const hold: ScriptPart[] = holdBeforeEdit === undefined ? [] : [{ hold: holdBeforeEdit }];
  return {
    ...(chunkSize === undefined ? {} : { chunkSize }),
    ...(pace === undefined ? {} : { pace }),
    turns: [
      {
        name: "edit",
        match: { request: 1 },
        answer: [
          {
            thinking: `${path} の「猫」を「犬」に変える依頼。内容は渡されているので読み直さなくてよい。\n一行だけを replace_in_file で置き換え、進み具合も一緒に伝える。`,
          },
          ...hold,
          {
            tool: "replace_in_file",
            params: {
              path,
              diff: `------- SEARCH\n${before}\n=======\n${after}\n+++++++ REPLACE`,
              task_progress: checklist(STEPS, 2),
            },
          },
        ],
      },
      {
        name: "done",
        match: {
          toolResult: {
            tool: "replace_in_file",
            text: "/^Saved|^The content was saved|<final_file_content/",
          },
        },
        answer: [
          {
            tool: "attempt_completion",
            params: {
              result: `${path} の「猫」を「犬」に置き換えました。いまの内容は「${after}」です。`,
              task_progress: checklist(STEPS, STEPS.length),
            },
          },
        ],
      },
      {
        name: "refused",
        match: { toolResult: "replace_in_file" },
        answer: [
          {
            tool: "attempt_completion",
            params: { result: `${path} は変えていません。`, task_progress: checklist(STEPS, 2) },
          },
        ],
      },
    ],
  };
}
