/**
 * The panel's end in the host: answers each request of the protocol and passes the active session's events on. The
 * handlers are beside their features: those of the agent in `requests/`, those of the editor with whoever has one.
 */
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import type { Clock } from "../../core/ports/system.ts";
import type { Notification, NotificationName } from "../../shared/protocol.ts";
import { type Handlers, type Server, serve, type Transport } from "../../shared/rpc.ts";
import { EventStream } from "./event-stream.ts";
import type { Agent } from "./requests/agent-port.ts";
import { chatRequests } from "./requests/chat-requests.ts";
import type { EditorActions, RequestContext } from "./requests/context.ts";
import { historyRequests } from "./requests/history-requests.ts";

/** Handlers of what the agent answers, whatever editor there is. */
function agentRequests(context: RequestContext) {
  return { ...chatRequests(context), ...historyRequests(context) };
}

/** The editor that the panel is in: it answers every request that the agent does not. */
export interface PanelHost extends EditorActions {
  readonly requests: Omit<Handlers, keyof ReturnType<typeof agentRequests>>;
  readonly onSetup: (listener: () => void) => Disposable;
  readonly onRules: (listener: () => void) => Disposable;
}

interface Ready {
  agent: Agent;
  events: EventStream;
}

/** One panel, connected. Disposing it ends nothing of the agent's. */
export interface Bridge extends Disposable {
  setVisible(visible: boolean): void;
  /** Tells the page, now or once it has asked for the state: a page that is not there hears nothing. */
  notify<N extends NotificationName>(name: N, params: Notification<N>): void;
}

/**
 * Serves one panel. `start` gives the running agent, and is asked again after it failed: a panel that is opened anew
 * is a new try.
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
  /** The page has asked for the state, and has not been hidden (which ends it) since. */
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
    store.add(
      agent.library.onIndexing((progress) => {
        if (pageOpen) server.notify("history/indexing", progress);
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
    // After the answer to the request that is being handled.
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
      // A page that comes back asks for them anew.
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
