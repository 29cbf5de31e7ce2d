/** A long conversation as they come about: a question, steps of work with their results, and an answer in Markdown. */
import type { Message } from "../../../src/shared/message.ts";

const CREATED_AT = "2025-01-01T00:00:00.000Z";
const WORDS = "Some words that fill a line or two in a narrow panel, and then some more of them. ";
const CODE = "\n\n```ts\nexport const cats = (count: number) => [count, 'cats'];\n```\n\n";
const RESULT = `${"export const line = 1;\n".repeat(40)}\n`;

/** Messages of a turn: a question, five calls with their results, an answer. */
export const PER_TURN = 12;

/** A word of every answer. One letter more makes it the word of the first message, an answer in the middle, and the last. */
export const COMMON = "zephyr";
export const RARE = `${COMMON}s`;

const TOOLS = ["read_file", "replace_in_file", "execute_command"] as const;

/** A conversation of so many turns; the ids of its messages begin with `prefix`. */
export function conversation(prefix: string, turns: number): Message[] {
  const rare = [Math.floor(turns / 2), turns - 1];
  return Array.from({ length: turns }, (_, turn) => turnOf(prefix, turn, rare.includes(turn))).flat();
}

/** The row of a turn's question, and that of its answer. */
export const questionRow = (prefix: string, turn: number): string => idOf(prefix, turn, 0);
export const answerRow = (prefix: string, turn: number): string => `${idOf(prefix, turn, PER_TURN - 1)}:0`;

const idOf = (prefix: string, turn: number, index: number) => `${prefix}${turn * PER_TURN + index}`;

function turnOf(prefix: string, turn: number, isRare: boolean): Message[] {
  const question = `Question ${turn}${turn === 0 ? ` about ${RARE}` : ""}`;
  const work = Array.from({ length: (PER_TURN - 2) / 2 }, (_, step) => stepOf(prefix, turn, step)).flat();
  const prose = `Answer ${turn} about the ${isRare ? RARE : COMMON}. ${WORDS.repeat(1 + (turn % 5))}`;
  const answer = `${prose}${turn % 3 === 0 ? CODE : ""}`;
  return [
    {
      ...{ id: idOf(prefix, turn, 0), createdAt: CREATED_AT, role: "user", display: question },
      blocks: [{ type: "text", text: question }],
    },
    ...work,
    {
      ...{ id: idOf(prefix, turn, PER_TURN - 1), createdAt: CREATED_AT, role: "assistant" },
      blocks: [{ type: "text", text: answer }],
    },
  ];
}

/** A call, after a sentence about it, and its result. */
function stepOf(prefix: string, turn: number, step: number): Message[] {
  const call = `${prefix}call-${turn}-${step}`;
  const name = TOOLS[(turn + step) % TOOLS.length] ?? TOOLS[0];
  const path = `src/file-${(turn * 7 + step) % 90}.ts`;
  const params = name === "execute_command" ? { command: `node ${path}` } : { path, diff: RESULT };
  const shown =
    name === "execute_command" ? { output: RESULT } : name === "read_file" ? {} : { added: 3, removed: 1 };
  return [
    {
      ...{ id: idOf(prefix, turn, 1 + 2 * step), createdAt: CREATED_AT, role: "assistant" },
      blocks: [
        { type: "text", text: `Step ${step} of ${turn}. ${WORDS}` },
        { type: "tool-call", id: call, name, params },
      ],
    },
    {
      ...{ id: idOf(prefix, turn, 2 + 2 * step), createdAt: CREATED_AT, role: "tool" },
      blocks: [
        {
          ...{ type: "tool-result", callId: call, name, label: name, outcome: "done", shown },
          parts: [{ type: "text", text: RESULT }],
        },
      ],
    },
  ];
}
