/** A long conversation with a host, turn by turn, and by how many bytes a turn the heap grows meanwhile. */
import type { TaskEvent } from "../../src/shared/event.ts";
import { heldHeap, type Point, slopeOf } from "./heap.ts";
import type { InstantModel } from "./instant-model.ts";

const TURNS = 1_000;
/** Until then, code is still being compiled and caches of a fixed size are being filled. */
const FROM = 200;
const EVERY = 100;

/**
 * Bytes a turn that a host may keep beyond the conversation itself, which it has twice: as messages and as rows. Objects take more than
 * their JSON, and the engine keeps some code that it optimized meanwhile.
 */
const BEYOND = 4_096;

/** A session of any host. */
export interface Talk {
  model: InstantModel;
  /** Resolves when the turn is over. */
  send(text: string): Promise<void>;
  onEvent(listener: (event: TaskEvent) => void): unknown;
}

export interface Growth {
  /** Bytes a turn by which the heap grows. */
  heap: number;
  /** Bytes a turn by which it may grow. */
  allowed: number;
  /** What it was measured at. */
  points: readonly Point[];
}

/** Most turns are a question and an answer; of ten, one reads, one writes and one runs a command. */
function prepare({ answers }: InstantModel, turn: number): void {
  // A request for a summary may have taken one.
  answers.length = 0;
  const done = { text: `It is done, as you said in ${turn}.` };
  if (turn % 10 === 3) answers.push({ tool: "read_file", params: { path: "a.ts" } }, done);
  if (turn % 10 === 6)
    answers.push(
      { tool: "write_to_file", params: { path: "a.ts", content: `export const a = ${turn % 7};\n` } },
      done,
    );
  if (turn % 10 === 9)
    answers.push(
      { tool: "execute_command", params: { command: "echo one", requires_approval: false } },
      done,
    );
}

/** The heap between turn 200 and turn 1,000. */
export async function growthOf(talk: Talk): Promise<Growth> {
  const points: Point[] = [];
  let isCounted = false;
  let bytes = 0;
  talk.onEvent((event) => {
    if (isCounted && event.type === "message") bytes += JSON.stringify(event.message).length;
  });
  for (let turn = 1; turn <= TURNS; turn++) {
    prepare(talk.model, turn);
    isCounted = turn > FROM;
    await talk.send(`Question ${turn}`);
    if (turn >= FROM && turn % EVERY === 0) points.push({ turn, bytes: await heldHeap() });
  }
  const conversation = bytes / (TURNS - FROM);
  return { heap: slopeOf(points), allowed: 2 * conversation + BEYOND, points };
}
