/**
 * The host's side of the panel: answers each request of the protocol and forwards the active session's events. Handlers
 * for the agent are in `requests/`; the editor provides its own.
 */
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import type { Clock } from "../../core/ports/system.ts";
import type { Notification, NotificationName } from "../../shared/protocol.ts";
import { type Handlers, type Server, serve, type Transport } from "../../shared/rpc.ts";
import type { CurrentFile } from "../../shared/view/current-file.ts";
import { EventStream } from "./event-stream.ts";
import type { Agent } from "./requests/agent-port.ts";
import { chatRequests } from "./requests/chat-requests.ts";
import type { EditorActions, RequestContext } from "./requests/context.ts";
import { historyRequests } from "./requests/history-requests.ts";
import { sessionRequests } from "./requests/session-requests.ts";

/** Handlers for the requests that the agent answers, independent of the editor. */
function agentRequests(context: RequestContext) {
  return { ...chatRequests(context), ...historyRequests(context), ...sessionRequests(context) };
}

/** The editor that contains the panel: it answers all requests that the agent does not. */
export interface PanelHost extends EditorActions {
  readonly requests: Omit<Handlers, keyof ReturnType<typeof agentRequests>>;
  readonly onSetup: (listener: () => void) => Disposable;
  readonly onRules: (listener: () => void) => Disposable;
  /** Called once the agent runs. */
  readonly onServers: (listener: () => void) => Disposable;
  /** Called once the agent runs. */
  readonly onCurrentFile: (listener: (file: CurrentFile | undefined) => void) => Disposable;
}

interface Ready {
  agent: Agent;
  events: EventStream;
}

/** One connected panel. Disposing it does not stop any of the agent's work. */
export interface Bridge extends Disposable {
  setVisible(visible: boolean): void;
  /** Notifies the page, now or once it has requested the state; before that, a page receives nothing. */
  notify<N extends NotificationName>(name: N, params: Notification<N>): void;
}

/**
 * Serves one panel. `start` returns the running agent and is called again after a failure: reopening the panel retries.
 */
export function connectPanel(
  transport: Transport,
  start: () => Promise<Agent>,
  host: PanelHost,
  clock: Pick<Clock, "after">,
  log: (text: string) => void,
): Bridge {
  const store = new DisposableStore();
  let ready: Promise<Ready> | undefined;
  let stream: EventStream | undefined;
  let visible = true;
  /** The page has requested the state and has not been hidden since. */
  let pageOpen = false;
  let outbox: (() => void)[] = [];

  async function connect(): Promise<Ready> {
    const agent = await start();
    const events = store.add(
      new EventStream({
        clock,
        view: () => agent.view,
        sendEvents: (params) => server.notify("chat/events", params),
        sendSnapshot: (params) => server.notify("chat/snapshot", params),
      }),
    );
    events.setVisible(visible);
    stream = events;
    store.add(
      agent.onEvent((event) => {
        if (event.session === agent.sessionId) events.push(event);
      }),
    );
    store.add(agent.onSwitched(() => events.replaced()));
    const { overview } = agent.together;
    store.add(
      overview.onChange(() => {
        // A page that becomes visible again gets them with the answer to its first request.
        if (pageOpen) server.notify("sessions/changed", { sessions: overview.all });
      }),
    );
    store.add(
      agent.library.onIndexing((progress) => {
        if (pageOpen) server.notify("history/indexing", progress);
      }),
    );
    store.add(
      host.onServers(() => {
        if (pageOpen) server.notify("servers/changed", {});
      }),
    );
    store.add(
      host.onCurrentFile((file) => {
        // A page that becomes visible again gets it with the answer to its first request.
        if (pageOpen) server.notify("current/changed", file ? { file } : {});
      }),
    );
    return { agent, events };
  }
  const connected = (): Promise<Ready> => {
    ready ??= connect().catch((error: unknown) => {
      ready = undefined;
      throw error;
    });
    return ready;
  };
  const pageOpened = () => {
    pageOpen = true;
    const waiting = outbox;
    outbox = [];
    const tell = () => {
      for (const send of waiting) send();
    };
    // After the answer to the current request.
    if (waiting.length > 0) store.add(clock.after(0, tell));
  };

  const context: RequestContext = {
    connected,
    async agent() {
      host.used();
      return (await connected()).agent;
    },
    pageOpened,
    insert({ text, images }) {
      server.notify("composer/insert", images.length > 0 ? { text, images: [...images] } : { text });
    },
    editor: host,
  };
  const server: Server = serve(transport, { ...agentRequests(context), ...host.requests }, log);
  store.add(server);
  store.add(
    host.onSetup(() => {
      host.setup().then(
        (setup) => server.notify("host/setup", setup),
        (error: unknown) => log(`setup: ${String(error)}`),
      );
    }),
  );
  store.add(
    host.onRules(() => {
      // A page that becomes visible again requests them again.
      if (pageOpen) server.notify("rules/changed", {});
    }),
  );
  return {
    setVisible(now) {
      visible = now;
      if (!now) pageOpen = false;
      stream?.setVisible(now);
    },
    notify(name, params) {
      if (pageOpen) server.notify(name, params);
      else outbox.push(() => server.notify(name, params));
    },
    dispose: () => store.dispose(),
  };
}
