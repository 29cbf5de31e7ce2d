/**
 * Writes the user's unsent text and queued messages, and which session is active, to disk immediately: the editor stores a
 * page's state only occasionally, and loses it in a crash. Each window of a project has its own place; a new window takes a
 * place that no running window uses. The editor tabs of a window have an unsent text each.
 */
import type { ProcessLock, Storage } from "../../core/ports/storage.ts";
import type { Log } from "../../core/ports/system.ts";
import { attachmentSchema, type Draft, type DraftUpdate, draftSchema } from "../../shared/protocol.ts";
import * as z from "../../shared/zod.ts";
import { asOne, type UnsentMessage } from "./leaving.ts";

/** The number of windows of one project that keep their drafts on disk. */
const MOST_PLACES = 8;

/** The names of a place's files and of its lock. */
function placeOf(number: number) {
  const end = number === 1 ? "" : `-${number}`;
  return {
    text: `draft${end}.json`,
    images: `draft-images${end}.json`,
    queue: `queue${end}.json`,
    shown: `shown${end}.json`,
    holder: `draft-holder${end}`,
  };
}
type Place = ReturnType<typeof placeOf>;

/** The number of closed tabs whose unsent text is kept, for when their session is opened in a tab again. */
const MOST_CLOSED = 20;
/** Maximum number of stored tabs. Nothing reports a tab that was closed before the window had restored it. */
const MOST_TABS = 100;

/** `session`: the session that an editor tab showed; "" for a task that has no message yet. */
const storedTabSchema = z.object({ id: z.uuid(), session: z.string(), open: z.boolean() });
export type KeptTab = z.infer<typeof storedTabSchema>;

/** A queued message of a session. */
interface Queued extends UnsentMessage {
  session?: string | undefined;
}

/** Earlier versions wrote no time. */
const storedSchema = z.extend(z.omit(draftSchema, { images: true }), { at: z._default(z.number(), 0) });
const storedImagesSchema = listOf(attachmentSchema);
const storedShownSchema = z.object({
  session: z.optional(z.string()),
  tabs: z._default(listOf(storedTabSchema), []),
});
/** Earlier versions wrote no session. */
const storedQueueSchema = listOf(
  z.object({ text: z.string(), images: storedImagesSchema, session: z.optional(z.string()) }),
);

/** A list of which only the invalid items are ignored. */
function listOf<T>(schema: z.ZodMiniType<T>): z.ZodMiniType<T[]> {
  return z.pipe(
    z.array(z.unknown()),
    z.transform((items) =>
      items.flatMap((item) => {
        const read = schema.safeParse(item);
        return read.success ? [read.data] : [];
      }),
    ),
  );
}

type Part = "queue" | "text" | "images" | "shown";
const QUEUE_FIRST: readonly Part[] = ["shown", "queue", "images", "text"];
const QUEUE_LAST: readonly Part[] = ["shown", "images", "text", "queue"];

export class Drafts {
  readonly #log: Log;
  /** undefined: all places are in use, so the draft is lost when this process ends. */
  readonly #storage: Storage | undefined;
  readonly #place: Place;
  readonly #lock: ProcessLock | undefined;
  #draft: Draft | undefined;
  /** The queues of the previous window, until a page has received them. */
  #previousQueue: readonly Queued[] = [];
  /** The messages of the previous window that wait until their own session receives them. */
  #returning: readonly Queued[] = [];
  #queue: readonly Queued[] = [];
  #shown: string | undefined;
  #tabs: readonly KeptTab[] = [];
  readonly #ofTabs = new Set<Drafts>();
  readonly #changed = new Set<Part>();
  #writing: Promise<void> | undefined;
  #failing = false;

  private constructor(storage: Storage | undefined, place: Place, lock: ProcessLock | undefined, log: Log) {
    this.#storage = storage;
    this.#place = place;
    this.#lock = lock;
    this.#log = log;
  }

  /**
   * Restores the messages in the queue of a previous window, followed by its draft. If several windows stored something, the
   * latest is restored.
   */
  static async open(storage: Storage, log: Log): Promise<Drafts> {
    let opened: Drafts | undefined;
    try {
      for (let number = 1; number <= MOST_PLACES; number++) {
        const place = placeOf(number);
        // Windows take the first free place, so no place after an unused one contains a draft.
        if (opened && !(await storage.read(place.text))) break;
        const lock = await storage.takeLock(place.holder);
        if (!lock) continue;
        const drafts = new Drafts(storage, place, lock, log);
        await drafts.#pickUp(storage);
        const isLater = !opened || drafts.#writtenAt > opened.#writtenAt;
        const other = isLater ? opened : drafts;
        if (isLater) opened = drafts;
        if (other) await other.#lock?.release();
      }
    } catch (error) {
      log.error("the draft of the last window could not be read", error);
    }
    return opened ?? new Drafts(undefined, placeOf(1), undefined, log);
  }

  /** When the previous window stored its draft; 0: there is none. */
  get #writtenAt(): number {
    return this.isEmpty ? 0 : Math.max(1, this.current?.at ?? 0);
  }

  /** The id of the session that the previous window showed; "": none; undefined: not known. */
  get shown(): string | undefined {
    return this.#shown;
  }

  /** undefined: nothing was ever written. */
  get current(): Draft | undefined {
    if (!this.#draft && this.#previousQueue.length === 0) return undefined;
    const draft = this.#draft ?? { text: "", after: "", at: 0, images: [] };
    return { ...draft, ...asOne([...this.#previousQueue, draft]) };
  }

  /**
   * Takes over the draft that an opening page remembers if it is newer: both the disk and the editor's own storage may lack the
   * last words.
   */
  remembered(update: DraftUpdate): void {
    if (update.at > (this.#draft?.at ?? 0)) this.#update(update, this.#draft);
  }

  /** Takes over the draft of a page that has opened, which includes the messages of the previous window. */
  keep(update: DraftUpdate): void {
    const before = this.current;
    if (this.#previousQueue.length > 0) this.#changed.add("images").add("queue");
    this.#previousQueue = [];
    this.#update(update, before);
  }

  #update({ images, ...text }: DraftUpdate, before: Draft | undefined): void {
    if (images) this.#changed.add("images");
    this.#draft = { ...text, images: images ?? before?.images ?? [] };
    this.#change("text");
  }

  /** The sessions with these ids are being reopened: their queued messages are not part of the draft. */
  reopening(sessions: readonly string[]): void {
    const isReturning = ({ session }: Queued) => session !== undefined && sessions.includes(session);
    this.#returning = this.#previousQueue.filter(isReturning);
    this.#previousQueue = this.#previousQueue.filter((message) => !isReturning(message));
  }

  /** Removes and returns the messages that were queued in a session. Must be called when its queue receives them. */
  takeQueue(id: string): readonly UnsentMessage[] {
    const belongs = ({ session }: Queued) => session === id;
    const messages = [...this.#previousQueue, ...this.#returning].filter(belongs);
    this.#previousQueue = this.#previousQueue.filter((message) => !belongs(message));
    this.#returning = this.#returning.filter((message) => !belongs(message));
    if (messages.length > 0) this.#change("queue");
    return messages.map(({ text, images }) => ({ text, images }));
  }

  /** The editor tabs that this window or the previous one had, the latest last. */
  get tabs(): readonly KeptTab[] {
    return this.#tabs;
  }

  /** The draft of an editor tab, until `closeTab` or `close`. */
  async tab(id: string): Promise<Drafts> {
    const place = { ...this.#place, text: `draft-tab-${id}.json`, images: `draft-images-tab-${id}.json` };
    const drafts = new Drafts(this.#storage, place, undefined, this.#log);
    if (this.#storage) await drafts.#pickUpText(this.#storage);
    this.#ofTabs.add(drafts);
    return drafts;
  }

  /** Stores which session a tab shows. */
  keepTab(tab: KeptTab): void {
    const before = this.#tabs.find(({ id }) => id === tab.id);
    if (before?.session === tab.session && before.open === tab.open) return;
    this.#tabs = [...this.#tabs.filter((other) => other !== before), tab];
    this.#change("shown");
  }

  /** The tab was closed. Its unsent text is stored for the next tab with its session. */
  async closeTab(id: string, drafts: Drafts): Promise<void> {
    const tab = this.#tabs.find((other) => other.id === id);
    if (tab && tab.session !== "" && !drafts.isEmpty) this.keepTab({ ...tab, open: false });
    else this.#tabs = this.#tabs.filter((other) => other !== tab);
    const closed = this.#tabs.filter(({ open }) => !open);
    const old = closed.slice(0, -MOST_CLOSED);
    this.#tabs = this.#tabs.filter((other) => !old.includes(other));
    this.#change("shown");
    this.#ofTabs.delete(drafts);
    await drafts.flush();
    for (const gone of [id, ...old.map((other) => other.id)]) {
      if (this.#tabs.some((other) => other.id === gone)) continue;
      await this.#storage?.remove(`draft-tab-${gone}.json`);
      await this.#storage?.remove(`draft-images-tab-${gone}.json`);
    }
  }

  /** The unsent text of the last closed tab that showed the session. `forget` must be called once it is stored elsewhere. */
  async closedTab(
    session: string,
  ): Promise<{ draft: Draft | undefined; forget(): Promise<void> } | undefined> {
    const closed = this.#tabs.findLast((tab) => !tab.open && tab.session === session);
    if (!closed) return undefined;
    const drafts = await this.tab(closed.id);
    const { current: draft } = drafts;
    return {
      draft,
      forget: () => {
        drafts.keep({ text: "", after: "", at: 0, images: [] });
        return this.closeTab(closed.id, drafts);
      },
    };
  }

  get isEmpty(): boolean {
    const { text = "", images = [] } = this.current ?? {};
    return text.trim() === "" && images.length === 0;
  }

  /** `session`: an id, or "". */
  keepShown(session: string): void {
    if (session === this.#shown) return;
    this.#shown = session;
    this.#change("shown");
  }

  /** `queue`: the queued messages of all sessions. */
  keepQueue(queue: readonly Queued[]): void {
    this.#queue = queue;
    this.#change("queue");
  }

  /** Resolves when everything is on disk. */
  async flush(): Promise<void> {
    await Promise.all([this.#writing, ...[...this.#ofTabs].map((drafts) => drafts.flush())]);
  }

  /** Releases the place for the next window: the window that a reload opens does not wait for this process to end. */
  async close(): Promise<void> {
    await this.flush();
    await this.#lock?.release();
  }

  async #pickUp(storage: Storage): Promise<void> {
    const [queue, shown] = await Promise.all([
      stored(storage, this.#place.queue, storedQueueSchema),
      stored(storage, this.#place.shown, storedShownSchema),
      this.#pickUpText(storage),
    ]);
    this.#previousQueue = queue ?? [];
    this.#shown = shown?.session;
    this.#tabs = (shown?.tabs ?? []).slice(-MOST_TABS);
  }

  async #pickUpText(storage: Storage): Promise<void> {
    const [text, images] = await Promise.all([
      stored(storage, this.#place.text, storedSchema),
      stored(storage, this.#place.images, storedImagesSchema),
    ]);
    if (text) this.#draft = { ...text, images: images ?? [] };
  }

  #change(part: Part): void {
    this.#changed.add(part);
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  /** One write at a time; changes made during a write are written together. */
  async #write(): Promise<void> {
    while (this.#changed.size > 0) {
      const parts = [...this.#changed];
      this.#changed.clear();
      const { text = "", after = "", at = 0, images = [] } = this.#draft ?? {};
      const queue = [...this.#previousQueue, ...this.#returning, ...this.#queue];
      const files: Record<Part, [name: string, content: unknown]> = {
        queue: [this.#place.queue, queue.map(({ text, images, session }) => ({ text, images, session }))],
        text: [this.#place.text, { text, after, at }],
        images: [this.#place.images, images],
        shown: [this.#place.shown, { session: this.#shown, tabs: this.#tabs }],
      };
      // Text that moves from one file to the other is briefly in both files, but always in at least one.
      const order = queue.length > 0 ? QUEUE_FIRST : QUEUE_LAST;
      try {
        for (const part of order) {
          const [name, content] = files[part];
          if (parts.includes(part)) await this.#storage?.replace(name, bytesOf(content));
        }
        this.#failing = false;
      } catch (error) {
        // A disk that rejects writes would report that on every keystroke.
        if (!this.#failing) this.#log.error("the draft could not be kept on the disk", error);
        this.#failing = true;
      }
    }
  }
}

/** undefined: there is no draft, or the file is not one. */
async function stored<T>(storage: Storage, name: string, schema: z.ZodMiniType<T>): Promise<T | undefined> {
  const parsed = schema.safeParse(await jsonOf(storage, name));
  return parsed.success ? parsed.data : undefined;
}

async function jsonOf(storage: Storage, name: string): Promise<unknown> {
  const bytes = await storage.read(name);
  if (!bytes) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // Not a draft.
    return undefined;
  }
}

const bytesOf = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
