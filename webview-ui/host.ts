/** The only file that talks to VS Code: messages to the host, and state that outlives the page. */
import { sessionSummarySchema } from "../src/shared/history/history-protocol.ts";
import { attachmentSchema, type Draft, type DraftUpdate } from "../src/shared/protocol.ts";
import type { Transport } from "../src/shared/rpc.ts";
import { exampleSchema } from "../src/shared/welcome-protocol.ts";
import * as z from "../src/shared/zod.ts";
import { joined } from "./drafts/draft.ts";
import { rememberedScreen, rememberedScreenSchema } from "./remembered-screen.ts";
import type { PanelState, PanelStore } from "./store.ts";

interface VsCodeApi {
  postMessage(value: unknown): void;
  getState(): unknown;
  setState(value: unknown): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

export type DraftAttachment = z.infer<typeof attachmentSchema>;

const welcomeSchema = z.object({ examples: z.array(exampleSchema), recent: z.array(sessionSummarySchema) });
const NOTHING_LISTED = { examples: [], recent: [] };

/** The state that the page stores. The host owns everything else, and the page requests it at load. */
const persistedSchema = z.object({
  draft: z._default(z.string(), ""),
  /** Sent messages that the host has not acknowledged; they precede the draft. */
  pending: z._default(z.string(), ""),
  /** Id of the user's last message when the draft was written; "" when there was none. */
  draftAfter: z._default(z.string(), ""),
  /** Selection in the draft, in UTF-16 units. */
  selection: z._default(z.tuple([z.number(), z.number()]), [0, 0]),
  images: z._default(z.array(attachmentSchema), []),
  pendingImages: z._default(z.array(attachmentSchema), []),
  /** The images were too large to keep. */
  withoutImages: z._default(z.boolean(), false),
  /** The draft of an earlier page, if the user wrote something else before it was restored; null if there is none. */
  aside: z._default(z.nullable(z.object({ text: z.string(), images: z.array(attachmentSchema) })), null),
  /** For an editor tab: its id and the session that it shows. The host restores the tab from them. */
  tab: z.optional(z.string()),
  session: z._default(z.string(), ""),
  /** When the text or the images last changed, in milliseconds since 1970. */
  draftAt: z._default(z.number(), 0),
  /** The reading position: the first visible row and its pixels above the edge; null while the user follows the end. */
  reading: z._default(
    z.nullable(z.object({ session: z.string(), row: z.string(), offset: z.number() })),
    null,
  ),
  /** Ids of the work that the user unfolded; the newest last. */
  openFolds: z._default(z.array(z.string()), []),
  /** Which folds inside of rows the user opened (true) and closed, by the id of the fold; the newest last. */
  rowFolds: z._default(z.record(z.string(), z.boolean()), {}),
  /** What the page showed last; null: nothing that the next page may begin with. One of another version counts as null. */
  screen: z.catch(z._default(z.nullable(rememberedScreenSchema), null), null),
  /** What the first page listed last. */
  welcome: z.catch(z._default(welcomeSchema, NOTHING_LISTED), NOTHING_LISTED),
});
export type PersistedState = z.infer<typeof persistedSchema>;

/** Maximum Base64 characters of stored images. There is a limit because each change writes all of them again. */
const MAX_IMAGE_CHARACTERS = 2_000_000;

/** The state that outlives the page. Reading it is cheap; a change is written immediately. */
export class PersistedPanel {
  #value: PersistedState;
  readonly #write: (value: PersistedState) => void;
  /** The draft that the previous page stored. */
  readonly remembered: DraftUpdate;

  constructor(raw: unknown, write: (value: PersistedState) => void) {
    const parsed = persistedSchema.safeParse(raw ?? {});
    this.#value = parsed.success ? parsed.data : persistedSchema.parse({});
    this.#write = write;
    const { withoutImages, ...rest } = this.#value;
    const { images, ...text } = draftOf(rest);
    this.remembered = withoutImages ? text : { ...text, images };
  }

  get value(): PersistedState {
    return this.#value;
  }

  update(change: Partial<PersistedState>): void {
    this.#value = { ...this.#value, ...change };
    const { pendingImages, images, aside } = this.#value;
    const all = [...pendingImages, ...images, ...(aside?.images ?? [])];
    const size = all.reduce((sum, image) => sum + image.data.length, 0);
    const without = {
      images: [],
      pendingImages: [],
      withoutImages: true,
      aside: aside && { ...aside, images: [] },
    };
    this.#write(size > MAX_IMAGE_CHARACTERS ? { ...this.#value, ...without } : this.#value);
  }
}

/** Stores which session an editor tab shows, whenever that changes. */
export function keepTab(
  persisted: PersistedPanel,
  tab: string,
  store: Pick<PanelStore, "state" | "subscribe">,
): void {
  const keep = () => {
    const { opened, view } = store.state;
    const session = view.session?.id ?? "";
    if (opened && (persisted.value.tab !== tab || persisted.value.session !== session))
      persisted.update({ tab, session });
  };
  store.subscribe(keep);
}

/** Stores what the panel shows, whenever that comes to rest. */
export function rememberScreen(
  persisted: PersistedPanel,
  store: Pick<PanelStore, "state" | "subscribe">,
): void {
  let seen: Pick<PanelState, "view" | "setup"> = store.state;
  let waiting = false;
  const remember = () => {
    waiting = false;
    const { view, setup } = store.state;
    persisted.update({ screen: rememberedScreen(view, setup) });
  };
  store.subscribe(() => {
    const { opened, view, setup } = store.state;
    if (!opened || (view === seen.view && setup === seen.setup)) return;
    seen = { view, setup };
    // Another window must not begin with a session that was left.
    const isOther = view.session?.id !== persisted.value.screen?.view.session?.id;
    if (isOther && persisted.value.screen) persisted.update({ screen: null });
    if (view.status !== "idle" || waiting) return;
    waiting = true;
    requestIdleCallback(remember);
  });
}

/** The draft, including sent messages that the host has not acknowledged. */
export function draftOf(
  persisted: Pick<
    PersistedState,
    "pending" | "draft" | "draftAfter" | "draftAt" | "pendingImages" | "images"
  >,
): Draft {
  return {
    text: joined(persisted.pending, persisted.draft),
    after: persisted.draftAfter,
    at: persisted.draftAt,
    images: [...persisted.pendingImages, ...persisted.images],
  };
}

export interface HostConnection {
  transport: Transport;
  kept: PersistedPanel;
}

export function connectHost(): HostConnection {
  const api = acquireVsCodeApi();
  return {
    transport: {
      send: (frame) => api.postMessage(frame),
      listen(receive) {
        const listener = (event: MessageEvent<unknown>) => receive(event.data);
        window.addEventListener("message", listener);
        return () => window.removeEventListener("message", listener);
      },
    },
    kept: new PersistedPanel(api.getState(), (value) => api.setState(value)),
  };
}
