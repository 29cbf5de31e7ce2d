import "./zod-config.ts";
import { createRoot } from "react-dom/client";
import { bootSchema } from "../src/shared/protocol.ts";
import { connect } from "../src/shared/rpc.ts";
import { translator } from "../src/shared/words/task-words.ts";
import { Actions } from "./actions.ts";
import { App, PanelPart, screens, TranscriptPart } from "./app.tsx";
import { ComposerLink } from "./composer/link.ts";
import { connectHost, keepTab, rememberScreen } from "./host.ts";
import { editHere, followChords } from "./keys/chords.ts";
import { followUse } from "./keys/page-use.ts";
import { PanelProvider, Signal } from "./panel.ts";
import { PanelStore } from "./store.ts";
import "./styles.css";

/** In pixels. A smaller frame belongs to a hidden panel. */
const LEAST = 20;

const boot = bootSchema.parse(JSON.parse(document.getElementById("nekode-boot")?.textContent ?? "{}"));
document.documentElement.lang = boot.language;
followUse(window, () => void actions.quietly("host/used", {}));
followChords(window);
editHere(window);

const { transport, kept } = connectHost();
const composer = new ComposerLink();
const rulesChanged = new Signal();
const serversChanged = new Signal();
const modelsShown = new Signal();
const modelAsked = new Signal();
const permissionShown = new Signal();
const store: PanelStore = new PanelStore(() => void actions.open(), kept.value.screen);
const client = connect(
  transport,
  {
    "chat/events": (batch) => store.events(batch),
    "chat/snapshot": (snapshot) => store.snapshot(snapshot),
    "host/setup": (setup) => store.setup(setup),
    "host/visible": ({ visible }) => {
      store.visible(visible);
      document.documentElement.toggleAttribute("data-hidden", !visible);
      // The host replaces a page that does not answer, because it has stopped running.
      if (visible) void actions.quietly("host/shown", {});
    },
    "current/changed": ({ file }) => store.current(file ?? null),
    "composer/insert": ({ text, images }) => composer.insert(text, images),
    "composer/draft": (draft) => {
      // The draft of the page in which the user types is newer. A page may regain the focus before the host reports that it is
      // visible.
      if (document.hasFocus() && !store.state.hidden) return;
      actions.draftShared(draft);
      composer.replace(draft.text);
    },
    "composer/focus": () => {
      store.show("chat");
      composer.focus();
    },
    "find/show": () => store.find(),
    "history/show": () => store.show("history"),
    "rules/show": () => store.show("rules"),
    "rules/changed": () => rulesChanged.fire(),
    "servers/show": () => store.show("servers"),
    "hooks/show": () => store.show("hooks"),
    "plugins/show": () => store.show("plugins"),
    "memory/show": () => store.show("memory"),
    "tools/show": () => store.show("tools"),
    "health/show": () => store.show("health"),
    "models/show": () => {
      store.show("chat");
      modelsShown.fire();
    },
    "permission/show": () => {
      store.show("chat");
      permissionShown.fire();
    },
    "sessions/changed": ({ sessions }) => store.listed(sessions),
    "servers/changed": () => serversChanged.fire(),
    "history/indexing": (progress) => store.indexed(progress),
  },
  (text) => console.warn(text),
);
const actions = new Actions(client, store, kept);
const focused = () => void actions.quietly("host/focused", {});
window.addEventListener("focus", focused);
if (document.hasFocus()) focused();
if (boot.tab !== undefined) keepTab(kept, boot.tab, store);
rememberScreen(kept, store);
// Loads the other screens, and prepares their lists in the host, before the user first opens one.
void actions.open().then(() =>
  requestIdleCallback(() => {
    if (store.state.hidden) return;
    screens.history.preload();
    void actions.quietly("history/prepare", {});
  }),
);

const root = document.getElementById("root");
if (!root) throw new Error("the page has no #root");
keepSize(root);
createRoot(root).render(
  <PanelProvider
    value={{
      t: translator(boot.translations),
      language: boot.language,
      store,
      actions,
      kept,
      composer,
      rulesChanged,
      serversChanged,
      modelsShown,
      modelAsked,
      permissionShown,
    }}
  >
    <PanelPart>
      <App />
    </PanelPart>
  </PanelProvider>,
);

// Once this module has ended: for what asks for a file, Chromium finds the lines of all callers, for which V8 would parse all of this
// script a second time.
queueMicrotask(() => {
  TranscriptPart.preload();
  void import("./markdown/parser.ts");
  void import("./drafts/sending-list.tsx");
});

/**
 * VS Code gives the frame of a hidden panel no size. Laid out at that size, every row would get another height, and the reading
 * position would be lost. So the page keeps its previous size until it is shown again.
 */
function keepSize(root: HTMLElement): void {
  let size = { width: window.innerWidth, height: window.innerHeight };
  // The event arrives before the layout, so the wrong size is never laid out.
  window.addEventListener("resize", () => {
    const { innerWidth: width, innerHeight: height } = window;
    const isHidden = width < LEAST || height < LEAST;
    root.style.width = isHidden ? `${size.width}px` : "";
    root.style.height = isHidden ? `${size.height}px` : "";
    if (!isHidden) size = { width, height };
  });
}
