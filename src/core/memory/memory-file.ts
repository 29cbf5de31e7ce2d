/**
 * The file of a project's memory: Markdown that users can read and edit. Each item of a list is a note; a comment below it says where
 * it is from. Everything else in the file stays as the user wrote it.
 */
import type { MemoryNote, NoteProblem } from "../../shared/memory-list.ts";
import { sha256 } from "../bytes.ts";
import { ToolError } from "../errors.ts";
import { hiddenCharacter } from "../safety/shells/hidden-characters.ts";

export const MOST_NOTES = 60;
/** Bytes of a note's text in UTF-8, and of the texts of all notes together. */
export const MOST_NOTE_BYTES = 600;
export const MOST_MEMORY_BYTES = 16_000;
/** Bytes of the file. A larger one is not read. */
export const MOST_FILE_BYTES = 64_000;
/** Characters of an id. */
const ID_LENGTH = 6;

const HEADER =
  "<!-- What Nekode remembers about this project for later tasks. Each list item is a note. You can edit and delete them. -->\n\n";

/** A note, and its lines in the file: from the first up to, but not including, the last. */
export interface PlacedNote {
  note: MemoryNote;
  problem?: NoteProblem;
  from: number;
  to: number;
}

export type NoteDraft = Pick<MemoryNote, "text" | "topic">;
export type NoteSource = Required<Pick<MemoryNote, "date" | "session" | "message">>;

const ITEM = /^[-*+] +(?:\*\*([^*]{1,40})\*\*: *)?(.*)$/;
const SOURCE = /^\s+<!-- (\d{4}-[\d:.TZ-]+), session (\S+), message (\S+) -->\s*$/;
const CONTINUATION = /^\s{2,}\S/;
const topicPattern = () => /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u;

export async function parseMemory(text: string): Promise<PlacedNote[]> {
  const lines = linesOf(text);
  const found: { topic?: string; words: string[]; source?: NoteSource; from: number; to: number }[] = [];
  let open = false;
  lines.forEach((line, index) => {
    const last = found.at(-1);
    const [item, topic, words = ""] = ITEM.exec(line) ?? [];
    const [source, date = "", session = "", message = ""] = SOURCE.exec(line) ?? [];
    if (item !== undefined) {
      found.push({ ...(topic === undefined ? {} : { topic }), words: [words], from: index, to: index + 1 });
      open = true;
      return;
    }
    if (!open || !last) return;
    if (source !== undefined) last.source = { date, session, message };
    else if (CONTINUATION.test(line)) last.words.push(line);
    open = source === undefined && CONTINUATION.test(line);
    if (open || source !== undefined) last.to = index + 1;
  });
  const placed = found.map(async ({ topic, words, source, from, to }): Promise<PlacedNote> => {
    const text = oneLine(words.join(" "));
    const draft = { text, ...(topic === undefined ? {} : { topic }) };
    const problem = problemOf(draft);
    const note = { id: await noteId(draft), ...draft, ...source };
    return { note, ...(problem ? { problem } : {}), from, to };
  });
  return (await Promise.all(placed)).filter(({ note }) => note.text !== "");
}

/** The lines of a note in the file; the last one ends with a line feed. */
export function noteLines({ topic, text, date, session, message }: Omit<MemoryNote, "id">): string {
  const item = `- ${topic === undefined ? "" : `**${topic}**: `}${text}\n`;
  const isKnown = date !== undefined && session !== undefined && message !== undefined;
  return isKnown ? `${item}  <!-- ${date}, session ${session}, message ${message} -->\n` : item;
}

export function withAppended(text: string, lines: string): string {
  if (text.trim() === "") return `${HEADER}${lines}`;
  return `${text}${text.endsWith("\n") ? "" : "\n"}${lines}`;
}

/** The text with other lines in place of those of a note. All other lines stay byte for byte. */
export function withReplaced(text: string, { from, to }: PlacedNote, lines: string): string {
  const all = text.split("\n");
  const [before, after] = [all.slice(0, from), all.slice(to)];
  return [...before, `${lines}${after.join("\n")}`].join("\n");
}

/** The note as it will be in the file. Throws ToolError, worded for the model. */
export async function checkedNote({ text: written, topic: named }: NoteDraft): Promise<MemoryNote> {
  if (written.length > MOST_NOTE_BYTES * 10) throw new ToolError(tooLong(written.length));
  const hidden = hiddenCharacter(written.replace(/\r\n?/g, "\n")) ?? hiddenCharacter(named ?? "");
  if (hidden !== undefined)
    throw new ToolError(`The note contains ${hidden}, which users cannot see. Write it without.`);
  const text = oneLine(written);
  const topic = oneLine(named ?? "");
  if (text === "") throw new ToolError("A note needs a text.");
  if (topic !== "" && !topicPattern().test(topic))
    throw new ToolError("A topic is one or two words: letters, digits, spaces, dots and hyphens.");
  // The file is what counts, so the note is read from it: its text may begin like a topic.
  const [placed] = await parseMemory(noteLines({ text, ...(topic === "" ? {} : { topic }) }));
  if (!placed) throw new ToolError("A note needs a text.");
  if (bytesOf(placed.note) > MOST_NOTE_BYTES) throw new ToolError(tooLong(bytesOf(placed.note)));
  return placed.note;
}

export function bytesOf({ text, topic = "" }: NoteDraft): number {
  return new TextEncoder().encode(text + topic).length;
}

function problemOf(draft: NoteDraft): NoteProblem | undefined {
  if (hiddenCharacter(draft.text) ?? hiddenCharacter(draft.topic ?? "")) return "hidden";
  return bytesOf(draft) > MOST_NOTE_BYTES ? "too-long" : undefined;
}

function tooLong(bytes: number): string {
  return `The note has ${bytes} bytes, and a note can have ${MOST_NOTE_BYTES}. Say it in one or two sentences.`;
}

async function noteId({ text, topic = "" }: NoteDraft): Promise<string> {
  return (await sha256(new TextEncoder().encode(`${topic}\n${text}`))).slice(0, ID_LENGTH);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function linesOf(text: string): string[] {
  return text
    .replace(/^\ufeff/, "")
    .split("\n")
    .map((line) => line.replace(/\r$/, ""));
}
