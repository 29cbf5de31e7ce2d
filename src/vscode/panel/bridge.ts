/**
 * The host's side of the panel: answers each request of the protocol and forwards the active session's events. Handlers
 * for sessions and the project are in `requests/`; the editor provides its own.
 */
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import type { Clock } from "../../core/ports/system.ts";
import type { Notification, NotificationName } from "../../shared/protocol.ts";
import { type Handlers, type Server, serve, type Transport } from "../../shared/rpc.ts";
import type { CurrentFile } from "../../shared/view/current-file.ts";
import { chatRequests } from "./requests/chat-requests.ts";
import type { ConnectedView, EditorActions, ProjectView, RequestContext } from "./requests/context.ts";
import { historyRequests, sessionRequests } from "./requests/history-requests.ts";
import { EventStream } from "./sending/event-stream.ts";
import { Outbox, type Updated } from "./sending/outbox.ts";

/** Handlers for the requests that the project and the view answer, independent of the editor. */
function viewRequests(context: RequestContext) {
  return { ...chatRequests(context), ...historyRequests(context), ...sessionRequests(context) };
}

/** The editor that contains the panel: it answers all requests that the project and the view do not. */
export interface PanelHost extends EditorActions {
  readonly requests: Omit<Handlers, keyof ReturnType<typeof viewRequests>>;
  readonly onSetup: (listener: () => void) => Disposable;
  readonly onRules: (listener: () => void) => Disposable;
  /** Called once the project is open. */
  readonly onServers: (listener: () => void) => Disposable;
  /** Called once the project is open. */
  readonly onCurrentFile: (listener: (file: CurrentFile | undefined) => void) => Disposable;
}

/** One connected panel. Disposing it does not stop any of the agent's work. */
export interface Bridge extends Disposable {
  /** `keepsPage`: VS Code keeps the page while it is hidden. Otherwise, another page loads when the panel is shown again. */
  setVisible(visible: boolean, keepsPage: boolean): void;
  /** Notifies the page, now or once it is visible and has requested the state; before that, a page receives nothing. */
  notify<N extends NotificationName>(name: N, params: Notification<N>): void;
}

/**
 * Serves one panel. `start` returns the panel's view once its project is open, and is called again after a failure: reopening the
 * panel retries.
 */
export function connectPanel(
  transport: Transport,
  start: () => Promise<ProjectView>,
  host: PanelHost,
  clock: Pick<Clock, "after">,
  log: (text: string) => void,
): Bridge {
  const store = new DisposableStore();
  let ready: Promise<ConnectedView> | undefined;
  let stream: EventStream | undefined;
  let visible = true;
  /** There is a page, and it has requested the state. */
  let pageOpen = false;
  const outbox = new Outbox((name, params) => server.notify(name, params));
  /** Notifies the page of a change that the whole state also includes. */
  const update = <N extends Updated>(name: N, params: Notification<N>) => {
    if (!pageOpen) return;
    if (visible) server.notify(name, params);
    else outbox.hold(name, params);
  };

  async function connect(): Promise<ConnectedView> {
    const { project, view } = await start();
    const events = store.add(
      new EventStream({
        clock,
        view: () => view.active.chatView,
        sendEvents: (params) => server.notify("chat/events", params),
        sendSnapshot: (params) => server.notify("chat/snapshot", params),
      }),
    );
    events.setVisible(visible);
    stream = events;
    store.add(view.onEvent((event) => events.push(event)));
    store.add(
      view.onSwitched(() => {
        // The draft belongs to the previous session.
        outbox.drop("composer/draft");
        events.replaced();
      }),
    );
    const { overview, library } = project;
    store.add(overview.onChange(() => update("sessions/changed", { sessions: overview.all })));
    store.add(library.onIndexing((progress) => update("history/indexing", progress)));
    store.add(host.onServers(() => update("servers/changed", {})));
    store.add(host.onCurrentFile((file) => update("current/changed", file ? { file } : {})));
    return { project, view, events };
  }
  const connected = (): Promise<ConnectedView> => {
    ready ??= connect().catch((error: unknown) => {
      ready = undefined;
      throw error;
    });
    return ready;
  };
  const pageOpened = () => {
    pageOpen = true;
    outbox.stateSent();
    // The timer lets the answer to the current request go first.
    if (visible && !outbox.isEmpty) store.add(clock.after(0, () => outbox.send()));
  };

  const acting = (): Promise<ConnectedView> => {
    host.used();
    return connected();
  };

  const context: RequestContext = {
    connected,
    acting,
    session: async () => (await acting()).view.settled(),
    pageOpened,
    insert({ text, images }) {
      const draft = images.length > 0 ? { text, images: [...images] } : { text };
      if (visible) server.notify("composer/insert", draft);
      else outbox.hold("composer/insert", draft);
    },
    editor: host,
  };
  const server: Server = serve(transport, { ...viewRequests(context), ...host.requests }, log);
  store.add(server);
  store.add(
    host.onSetup(() => {
      host.setup().then(
        (setup) => {
          if (visible) server.notify("host/setup", setup);
          else outbox.hold("host/setup", setup);
        },
        (error: unknown) => log(`setup: ${String(error)}`),
      );
    }),
  );
  store.add(host.onRules(() => update("rules/changed", {})));
  return {
    setVisible(now, keepsPage) {
      const isOther = visible !== now;
      visible = now;
      if (!now && !keepsPage) pageOpen = false;
      stream?.setVisible(now);
      if (!pageOpen) return;
      // Before "host/visible": a visible page in which the user types ignores drafts of other pages, but a hidden one does not.
      if (now) outbox.send();
      if (isOther) server.notify("host/visible", { visible: now });
    },
    notify(name, params) {
      if (pageOpen && visible) server.notify(name, params);
      else outbox.hold(name, params);
    },
    dispose: () => store.dispose(),
  };
}
