/**
 * What hosts read of a session, as its rows show it: search results in all its messages, including those that its view has not
 * loaded; answers as plain text; the parts that window steps omit from later requests; images.
 */
import { type Message, toolCalls } from "../../shared/message.ts";
import type { Attachment, LeftOutPart, Result } from "../../shared/protocol.ts";
import { finder } from "../../shared/text/find-text.ts";
import { presentationOf } from "../../shared/tool-presentation.ts";
import { applyEvent, type ChatView, emptyView, type Row, rowsOf } from "../../shared/view/reducer.ts";
import { rowTexts } from "../../shared/words/row-words.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import { giveWay } from "../async.ts";
import type { Clock } from "../ports/system.ts";
import { windowState } from "../window/request-messages.ts";
import { answerText } from "./answer-text.ts";
import { type CallFacts, messageOfRow, pageBefore } from "./earlier.ts";

/** Matches that are counted. Further ones help nobody, so editors stop counting at such a number too. */
const MOST_MATCHES = 20_000;
/** Milliseconds after which other work may run. */
const SLICE_MS = 20;

/** Omitted parts that are listed; characters of a message's excerpt, and of a document's name. */
const MOST_PARTS = 500;
const EXCERPT_LENGTH = 120;
const NAME_LENGTH = 60;

type Call = ReturnType<typeof toolCalls>[number];

/** The parts of a session that are searched. They are read again after each pause, because the session may continue. */
export interface Searched {
  readonly id: string;
  readonly chatView: ChatView;
  /** The loaded messages, and how many stored ones come before them. */
  readonly transcript: { readonly messages: readonly Message[]; readonly unloadedCount: number };
}

interface FindDeps {
  facts: CallFacts;
  clock: Clock;
}

type FindResult = Result<"chat/find">;

/** What hosts read of a session's texts. */
export class SessionTexts {
  readonly #session: Searched;
  readonly #facts: CallFacts;
  readonly #find: SessionFind;

  constructor({ session, ...deps }: FindDeps & { session: Searched }) {
    this.#session = session;
    this.#facts = deps.facts;
    this.#find = new SessionFind(deps);
  }

  /** Finds a text in all of the session, in the words of `t`. */
  find(text: string, t: Translate): Promise<FindResult> {
    return this.#find.find(this.#session, text, t);
  }

  /** A row, or the last answer, as plain text with a file name; undefined: there is none. */
  answer(t: Translate, row?: string): ReturnType<typeof answerText> {
    return answerText(this.#session.chatView, t, row);
  }

  /** The parts that a window step omits, by its notice. */
  leftOut(notice: string): Result<"chat/left-out"> {
    return leftOutBy(this.#session.transcript.messages, notice, this.#facts);
  }

  /** An omitted part in full. */
  part(id: string): ReturnType<typeof partOf> {
    return partOf(this.#session.transcript.messages, id);
  }

  /** An image that a row shows: the one at this index among the images of the call's result. */
  picture(callId: string, index: number): Attachment | undefined {
    return pictureOf(this.#session.transcript.messages, callId, index);
  }

  /** An image that the user attached to a message. */
  sentImage(messageId: string, index: number): Attachment | undefined {
    return sentImageOf(this.#session.transcript.messages, messageId, index);
  }
}

export class SessionFind {
  readonly #deps: FindDeps;
  /** Rows of the messages before the view, of the session that was searched last. */
  #before: { session: string; first: string | undefined; end: number; view: ChatView } | undefined;
  /** The texts of each row. A row never changes: a change replaces it. */
  #texts = new WeakMap<Row, readonly string[]>();

  constructor(deps: FindDeps) {
    this.#deps = deps;
  }

  /** Rows are in the order of the conversation. */
  async find(session: Searched, query: string, t: Translate): Promise<FindResult> {
    const matches = finder(query);
    const rows: FindResult["rows"] = [];
    let total = 0;
    if (!matches) return { rows, total };
    const before = await this.#rowsBefore(session);
    const { chatView: view } = session;
    const faces = { ...before.faces, ...view.faces };
    const known = new Set(view.settled.map(({ id }) => id));
    const all = [...rowsOf(before).filter(({ id }) => !known.has(id)), ...rowsOf(view)];
    const pause = this.#pauses();
    for (const row of all) {
      let count = 0;
      for (const text of this.#textsOf(t, row, faces)) count += matches(text).length;
      if (count > 0) rows.push({ row: row.id, count });
      total += count;
      if (total >= MOST_MATCHES) return { rows, total, more: true };
      await pause();
    }
    return { rows, total };
  }

  #textsOf(t: Translate, row: Row, faces: ChatView["faces"]): readonly string[] {
    const known = this.#texts.get(row);
    if (known) return known;
    const texts = rowTexts(t, row, row.kind === "call" ? presentationOf(faces, row.tool) : undefined);
    this.#texts.set(row, texts);
    return texts;
  }

  /** A view of the messages before those of the session's view, built page by page and cached. */
  async #rowsBefore(session: Searched): Promise<ChatView> {
    const { id, chatView: view } = session;
    const { messages, unloadedCount } = session.transcript;
    const end = Math.max(0, view.earlier - unloadedCount);
    const first = messages[0]?.id;
    const cached = this.#before;
    // The view may have loaded some of them since; those rows are taken from it.
    if (cached && cached.session === id && cached.first === first && cached.end >= end) return cached.view;
    let folded = emptyView;
    const pause = this.#pauses();
    for (let start = end; start > 0; ) {
      const page = pageBefore(messages, start, this.#deps.facts);
      folded = applyEvent(folded, page);
      start = page.left;
      await pause();
    }
    this.#before = { session: id, first, end, view: folded };
    return folded;
  }

  /** Returns a function that lets other work run if the last pause was long ago. */
  #pauses(): () => Promise<void> {
    const { clock } = this.#deps;
    let since = clock.now().getTime();
    return async () => {
      if (clock.now().getTime() - since < SLICE_MS) return;
      await giveWay(clock);
      since = clock.now().getTime();
    };
  }
}

/** The parts that the step of that notice (its row's id) omits, in order; none if there is no such step. */
function leftOutBy(messages: readonly Message[], notice: string, facts: CallFacts): Result<"chat/left-out"> {
  const at = messageOfRow(messages, notice);
  const message = messages[at];
  const block = message?.blocks[Number(notice.slice((message?.id.length ?? 0) + 1))];
  if (block?.type !== "window") return { parts: [], more: 0 };
  const upTo = messages.findIndex(({ id }) => id === block.leftOut?.upTo);
  // Parts that an earlier step omits are listed under its own notice.
  const from = windowState(messages.slice(0, at)).leftOutUpTo + 1;
  const parts = messages.slice(from, upTo + 1).flatMap((each) => partsOf(each, facts));
  const shortened = new Set(block.shortened);
  for (const { id } of parts) shortened.delete(id);
  for (const each of shortened.size === 0 ? [] : messages.slice(0, at)) {
    for (const call of toolCalls(each)) if (shortened.has(call.id)) parts.push(named(call, facts));
  }
  return { parts: parts.slice(0, MOST_PARTS), more: Math.max(0, parts.length - MOST_PARTS) };
}

function partsOf(message: Message, facts: CallFacts): LeftOutPart[] {
  const text = message.display ?? (message.role === "assistant" ? textOf(message) : "");
  const subject = firstLine(text, EXCERPT_LENGTH);
  const parts: LeftOutPart[] = subject === "" ? [] : [{ id: message.id, subject }];
  return [...parts, ...toolCalls(message).map((call) => named(call, facts))];
}

const named = (call: Call, facts: CallFacts): LeftOutPart => ({
  id: call.id,
  title: titleOf(facts.presentation(call.name)) ?? call.name,
  subject: facts.subject(call),
});

const titleOf = (presentation: ReturnType<CallFacts["presentation"]>) =>
  presentation?.title.done ?? presentation?.title.doing;

/** A part in full, with a name: a call's result or a message. undefined: no part has that id. */
function partOf(messages: readonly Message[], id: string): { name: string; text: string } | undefined {
  const message = messages.find((each) => each.id === id);
  if (message) {
    const text = message.display ?? textOf(message);
    return { name: fileName(firstLine(text, NAME_LENGTH)), text };
  }
  for (const { blocks } of messages) {
    for (const block of blocks) {
      if (block.type !== "tool-result" || block.callId !== id) continue;
      const texts = block.parts.map((part) => (part.type === "text" ? part.text : `[${part.mimeType}]`));
      return { name: fileName(block.label.slice(0, NAME_LENGTH)), text: texts.join("\n\n") };
    }
  }
  return undefined;
}

function textOf({ blocks }: Message): string {
  return blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n\n");
}

function firstLine(text: string, length: number): string {
  return (text.trim().split("\n", 1)[0] ?? "").slice(0, length);
}

function fileName(words: string): string {
  return `${words.replace(/[\\/:*?"'<>|\s]+/g, " ").trim() || "-"}.txt`;
}

/** The image at this index among the images of the call's result. */
function pictureOf(messages: readonly Message[], callId: string, index: number): Attachment | undefined {
  // From the end, because the rows on screen are usually the newest ones.
  for (let at = messages.length - 1; at >= 0; at--) {
    for (const block of messages[at]?.blocks ?? []) {
      if (block.type !== "tool-result" || block.callId !== callId) continue;
      const images = block.parts.filter((part) => part.type === "image");
      const image = [...images, ...(block.pictures ?? [])][index];
      return image && { mimeType: image.mimeType, data: image.data };
    }
  }
  return undefined;
}

/** The user's own image at this index of a message: one that they attached, not one of a mention. */
export function sentImageOf(
  messages: readonly Message[],
  messageId: string,
  index: number,
): Attachment | undefined {
  const message = messages.findLast(({ id }) => id === messageId);
  const images = message?.blocks.flatMap((block) =>
    block.type === "image" && !block.supplied ? [block] : [],
  );
  const image = images?.[index];
  return image && { mimeType: image.mimeType, data: image.data };
}
