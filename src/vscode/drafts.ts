/**
 * What the person wrote and has not sent, and what they queued, kept on the disk at once: the editor itself writes a
 * page's state only now and then, and loses it when it dies. One window of a project keeps its draft; others, opened
 * while that one lives, have theirs in memory.
 */
import * as z from "zod";
import type { Hold, Log, Storage } from "../core/ports.ts";
import { attachmentSchema, type Draft, draftSchema, type Params } from "../shared/protocol.ts";
import { asOne, type Unsaid } from "./leaving.ts";

const textFile = "draft.json";
const imagesFile = "draft-images.json";
const queueFile = "queue.json";
const holdName = "draft-holder";

/** Earlier versions wrote no time. */
const storedSchema = draftSchema.omit({ images: true }).extend({ at: z.number().default(0) });
const storedImagesSchema = listOf(attachmentSchema);
const storedQueueSchema = listOf(z.object({ text: z.string(), images: storedImagesSchema }));

/** Items that do not fit are left out, not the whole list. */
function listOf<T>(schema: z.ZodType<T>): z.ZodType<T[]> {
  return z.array(z.unknown()).transform((items) =>
    items.flatMap((item) => {
      const read = schema.safeParse(item);
      return read.success ? [read.data] : [];
    }),
  );
}

type Part = "queue" | "text" | "images";
const queueFirst: readonly Part[] = ["queue", "images", "text"];
const queueLast: readonly Part[] = ["images", "text", "queue"];

export class Drafts {
  readonly #log: Log;
  /** undefined: another window keeps its own there. */
  readonly #storage: Storage | undefined;
  readonly #hold: Hold | undefined;
  #draft: Draft | undefined;
  /** What waited in the queue of the window before, until a page has it. */
  #left: readonly Unsaid[] = [];
  #queue: readonly Unsaid[] = [];
  readonly #changed = new Set<Part>();
  #writing: Promise<void> | undefined;
  #failing = false;

  private constructor(storage: Storage | undefined, hold: Hold | undefined, log: Log) {
    this.#storage = storage;
    this.#hold = hold;
    this.#log = log;
  }

  /** What the window before left is there again, messages that waited in its queue in front of the draft. */
  static async open(storage: Storage, log: Log): Promise<Drafts> {
    try {
      const hold = await storage.hold(holdName);
      const drafts = new Drafts(hold && storage, hold, log);
      if (hold) await drafts.#pickUp(storage);
      return drafts;
    } catch (error) {
      log.error("the draft of the last window could not be read", error);
      return new Drafts(storage, undefined, log);
    }
  }

  /** undefined: nothing was ever written. */
  get current(): Draft | undefined {
    if (!this.#draft && this.#left.length === 0) return undefined;
    const draft = this.#draft ?? { text: "", after: "", at: 0, images: [] };
    return { ...draft, ...asOne([...this.#left, draft]) };
  }

  /**
   * What a page that opens still knows. Of that and what was kept the later one holds: the disk may have missed the last words,
   * and so may the editor's own memory. No `images`: they were too large for the page.
   */
  remembered({ images, ...text }: Params<"chat/draft">): void {
    const kept = this.#draft;
    if (text.at <= (kept?.at ?? 0)) return;
    this.#draft = { ...text, images: images ?? kept?.images ?? [] };
    if (images) this.#changed.add("images");
    this.#change("text");
  }

  /** What a page that has opened holds. No `images`: they are those of before. */
  keep({ images, ...text }: Params<"chat/draft">): void {
    const before = this.current;
    if (images || this.#left.length > 0) this.#changed.add("images");
    // It is part of the draft from now on.
    if (this.#left.length > 0) this.#changed.add("queue");
    this.#left = [];
    this.#draft = { ...text, images: images ?? before?.images ?? [] };
    this.#change("text");
  }

  keepQueue(queue: readonly Unsaid[]): void {
    this.#queue = queue;
    this.#change("queue");
  }

  /** Resolves when all of it is on the disk. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  /** The next window may have it: the one that a reload opens does not wait for this process to end. */
  async close(): Promise<void> {
    await this.flush();
    await this.#hold?.release();
  }

  async #pickUp(storage: Storage): Promise<void> {
    const [text, images, queue] = await Promise.all([
      stored(storage, textFile, storedSchema),
      stored(storage, imagesFile, storedImagesSchema),
      stored(storage, queueFile, storedQueueSchema),
    ]);
    if (text) this.#draft = { ...text, images: images ?? [] };
    this.#left = queue ?? [];
  }

  #change(part: Part): void {
    this.#changed.add(part);
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  /** One write at a time; what changes meanwhile is written together. */
  async #write(): Promise<void> {
    while (this.#changed.size > 0) {
      const parts = [...this.#changed];
      this.#changed.clear();
      const { text = "", after = "", at = 0, images = [] } = this.#draft ?? {};
      const queue = [...this.#left, ...this.#queue];
      const files: Record<Part, [name: string, content: unknown]> = {
        queue: [queueFile, queue.map((said) => ({ text: said.text, images: said.images }))],
        text: [textFile, { text, after, at }],
        images: [imagesFile, images],
      };
      // What goes from one to another is in both for a moment, in neither never.
      const order = queue.length > 0 ? queueFirst : queueLast;
      try {
        for (const part of order) {
          const [name, content] = files[part];
          if (parts.includes(part)) await this.#storage?.replace(name, bytesOf(content));
        }
        this.#failing = false;
      } catch (error) {
        // A disk that takes nothing would say so at every key.
        if (!this.#failing) this.#log.error("the draft could not be kept on the disk", error);
        this.#failing = true;
      }
    }
  }
}

/** undefined: there is none, or it is not ours. */
async function stored<T>(storage: Storage, name: string, schema: z.ZodType<T>): Promise<T | undefined> {
  const parsed = schema.safeParse(await jsonOf(storage, name));
  return parsed.success ? parsed.data : undefined;
}

async function jsonOf(storage: Storage, name: string): Promise<unknown> {
  const bytes = await storage.read(name);
  if (!bytes) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // Not ours, so there is no draft.
    return undefined;
  }
}

const bytesOf = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
