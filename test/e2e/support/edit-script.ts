/** A model that edits one file line by line. */
import type { Script } from "../../model-server/server.ts";

/** The file's text, whose lines end in a word that tells whether they are edited. */
export const lines = (count: number, word: string) =>
  Array.from({ length: count }, (_, at) => `line ${at + 1} ${word}\n`).join("");

/** One replace_in_file a turn, line by line, then the end. `pause` is in milliseconds before each. */
export function editScript(file: string, count: number, pause: number): Script {
  return {
    turns: [
      ...Array.from({ length: count }, (_, at) => ({
        match: { request: at + 1 },
        answer: [
          ...(pause > 0 ? [{ wait: pause }] : []),
          {
            tool: "replace_in_file",
            params: {
              path: file,
              diff: `------- SEARCH\nline ${at + 1} old\n=======\nline ${at + 1} new\n+++++++ REPLACE`,
            },
          },
        ],
      })),
      {
        match: { request: count + 1 },
        answer: [{ tool: "attempt_completion", params: { result: "All edited." } }],
      },
    ],
  };
}
