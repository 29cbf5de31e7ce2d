/** A session of 5,000 messages in the history, and the same messages in a file for the bare extension. */
import { writeFile } from "node:fs/promises";
import type { SessionStore } from "../../../src/core/sessions/session-store.ts";
import type { Message } from "../../../src/shared/message.ts";
import { answerRow, conversation, PER_TURN } from "../long/content.ts";
import { Content } from "../session-content.ts";

const TURNS = 417;
const PREFIX = "l";
const OTHER_PREFIX = "o";
const OTHER_TURNS = 2;
/** One of so many results is long. */
const LONG_RESULT_EVERY = 20;
const LONG_RESULT_CHARACTERS = 8_000;

/** Titles of the session, and of a short one that is opened in between, with the rows of their last answers. */
export const LONG = {
  title: `${(TURNS * PER_TURN).toLocaleString("en")} messages`,
  row: answerRow(PREFIX, TURNS - 1),
};
export const OTHER = { title: "A short one", row: answerRow(OTHER_PREFIX, OTHER_TURNS - 1) };

/** Stores both, as the newest sessions of the project. `plainFile` receives the messages of the long one as JSON. */
export async function addLongSession(
  store: SessionStore,
  projectPath: string,
  plainFile: string,
): Promise<void> {
  const content = new Content(2);
  let results = 0;
  const messages = conversation(PREFIX, TURNS).map(
    (message): Message => ({
      ...message,
      blocks: message.blocks.map((block) =>
        block.type === "tool-result" && results++ % LONG_RESULT_EVERY === 0
          ? { ...block, parts: [{ type: "text", text: content.text(LONG_RESULT_CHARACTERS) }] }
          : block,
      ),
    }),
  );
  const named = { projectPath, model: "a-model", mode: "act" as const };
  const startedAt = "2025-02-01T00:00:00.000Z";
  const ended = { endedAt: startedAt };
  const other = { id: "00000000-0000-4000-9000-000000000001", title: OTHER.title, startedAt, ...named };
  await store.import(other, conversation(OTHER_PREFIX, OTHER_TURNS), ended);
  const long = { id: "00000000-0000-4000-9000-000000000000", title: LONG.title, startedAt, ...named };
  await store.import(long, messages, ended);
  await writeFile(plainFile, JSON.stringify(messages));
}
