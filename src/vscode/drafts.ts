/**
 * What the person wrote and has not sent, and what they queued, kept on the disk at once: the editor itself writes a
 * page's state only now and then, and loses it when it dies. One window of a project keeps its draft; others, opened
 * while that one lives, have theirs in memory.
 */
import * as z from "zod";
import type { Hold, Log, Storage } from "../core/ports.ts";
import { attachmentSchema, type Draft, draftSchema } from "../shared/protocol.ts";

const textFile = "draft.json";
const imagesFile = "draft-images.json";
const holdName = "draft-holder";

const storedSchema = draftSchema.omit({ images: true }).extend({ queue: z.array(z.string()).default([]) });
const storedImagesSchema = z.array(attachmentSchema);

type Part = "text" | "images";

export class Drafts {
  readonly #log: Log;
  /** undefined: another window keeps its own there. */
  readonly #storage: Storage | undefined;
  readonly #hold: Hold | undefined;
  #draft: Draft | undefined;
  #queue: readonly string[] = [];
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
      if (hold) drafts.#draft = await left(storage);
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

  keepQueue(texts: readonly string[]): void {
    this.#queue = texts;
    this.#draft ??= { text: "", after: "", images: [] };
    this.#change("text");
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
      const queue = this.#queue;
      try {
        if (parts.includes("images")) await this.#storage?.replace(imagesFile, bytesOf(images));
        await this.#storage?.replace(textFile, bytesOf({ text, after, queue }));
        this.#failing = false;
      } catch (error) {
        // A disk that takes nothing would say so at every key.
        if (!this.#failing) this.#log.error("the draft could not be kept on the disk", error);
        this.#failing = true;
      }
    }
  }
}

async function left(storage: Storage): Promise<Draft | undefined> {
  const stored = storedSchema.safeParse(await jsonOf(storage, textFile));
  if (!stored.success) return undefined;
  const images = storedImagesSchema.safeParse(await jsonOf(storage, imagesFile));
  const { text, after, queue } = stored.data;
  const texts = [...queue, text].filter((each) => each.trim() !== "");
  return { text: texts.join("\n\n"), after, images: images.success ? images.data : [] };
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
