/**
 * What the person wrote and has not sent, and what they queued, kept on the disk at once: the editor itself writes a
 * page's state only now and then, and loses it when it dies. One window of a project keeps its draft; others, opened
 * while that one lives, have theirs in memory.
 */
import * as z from "zod";
import type { Hold, Log, Storage } from "../core/ports.ts";
import { attachmentSchema, type Draft, draftSchema } from "../shared/protocol.ts";
import { asOne, type Unsaid } from "./leaving.ts";

const textFile = "draft.json";
const imagesFile = "draft-images.json";
const queueFile = "queue.json";
const holdName = "draft-holder";

const storedSchema = draftSchema.omit({ images: true });
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

  /** undefined: nothing was ever written, so what the page itself remembers is all there is. */
  get current(): Draft | undefined {
    return this.#draft;
  }

  /** No `images`: they are those of before. */
  keep({ images, ...text }: Omit<Draft, "images"> & { images?: Draft["images"] | undefined }): void {
    if (images) this.#changed.add("images");
    this.#draft = { ...text, images: images ?? this.#draft?.images ?? [] };
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
    if (!text && !queue?.length) return;
    const draft = { text: "", after: "", ...text, images: images ?? [] };
    this.#draft = { ...draft, ...asOne([...(queue ?? []), draft]) };
    // With the first change, before the queue's own file is emptied.
    if (queue?.length) for (const part of ["text", "images", "queue"] as const) this.#changed.add(part);
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
      const { text = "", after = "", images = [] } = this.#draft ?? {};
      const files: Record<Part, [name: string, content: unknown]> = {
        queue: [queueFile, this.#queue.map((said) => ({ text: said.text, images: said.images }))],
        text: [textFile, { text, after }],
        images: [imagesFile, images],
      };
      // What goes from one to another is in both for a moment, in neither never.
      const order = this.#queue.length > 0 ? queueFirst : queueLast;
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
