/**
 * The panel's end in the host: answers each request of the protocol and passes the task's events on. Knows no editor:
 * what needs one is in `PanelHost`.
 */
import { type Disposable, DisposableStore } from "../core/lifecycle.ts";
import type { Clock } from "../core/ports.ts";
import type { TaskEvent } from "../shared/event.ts";
import type { Mode } from "../shared/message.ts";
import type { FileHit, Notification, NotificationName, SessionSummary, Setup } from "../shared/protocol.ts";
import { type Handlers, type Server, serve, type Transport } from "../shared/rpc.ts";
import type { ChatView } from "../shared/view.ts";
import { EventStream } from "./event-stream.ts";

/** What the panel asks of the agent; the task manager is one. */
export interface Agent {
  readonly view: ChatView;
  readonly onEvent: (listener: (event: TaskEvent) => void) => Disposable;
  send(text: string, images?: { mimeType: string; data: string }[]): Promise<{ queued: boolean }>;
  approve(callId: string, comment?: string, options?: { always?: boolean }): boolean;
  reject(callId: string, comment?: string): boolean;
  stop(): Promise<void>;
  newTask(): Promise<void>;
  retry(): Promise<void>;
  setMode(mode: Mode): Promise<void>;
  unqueue(id: string): void;
  history(): Promise<SessionSummary[]>;
  open(id: string): Promise<void>;
}

/** What the panel asks of the editor. */
export interface PanelHost {
  /** The person did something in the panel, so they are there. */
  used(): void;
  setup(): Promise<Setup>;
  readonly onSetup: (listener: () => void) => Disposable;
  findFiles(query: string, limit: number): Promise<FileHit[]>;
  openFile(path: string, line: number | undefined): Promise<void>;
  openLink(url: string): Promise<void>;
  openSettings(query: string | undefined): Promise<void>;
  setKey(): Promise<void>;
  showDiff(callId: string): Promise<void>;
  runProposal(callId: string): Promise<void>;
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
    store.add(agent.onEvent((event) => events.push(event)));
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

  const server: Server = serve(transport, handlers(connected, host, pageOpened), log);
  store.add(server);
  store.add(
    host.onSetup(() => {
      host.setup().then(
        (setup) => server.notify("host/setup", setup),
        (error: unknown) => log(`setup: ${String(error)}`),
      );
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

interface Ready {
  agent: Agent;
  events: EventStream;
}

function handlers(connected: () => Promise<Ready>, host: PanelHost, pageOpened: () => void): Handlers {
  const agent = async () => {
    host.used();
    return (await connected()).agent;
  };
  /** Answers with nothing once `work` is done. */
  const done = async (work: Promise<unknown>) => {
    await work;
    return {};
  };
  return {
    "chat/open": async () => {
      const { events } = await connected();
      const setup = await host.setup();
      pageOpened();
      return { ...events.snapshot(), setup };
    },
    "chat/send": async ({ text, images }) => (await agent()).send(text, images),
    "chat/stop": () => done(agent().then((running) => running.stop())),
    "chat/new": () => done(agent().then((running) => running.newTask())),
    "chat/retry": () => done(agent().then((running) => running.retry())),
    "chat/mode": ({ mode }) => done(agent().then((running) => running.setMode(mode))),
    "chat/approve": async ({ callId, comment, always = false }) => ({
      accepted: (await agent()).approve(callId, comment, { always }),
    }),
    "chat/reject": async ({ callId, comment }) => ({ accepted: (await agent()).reject(callId, comment) }),
    "chat/unqueue": ({ id }) => done(agent().then((running) => running.unqueue(id))),
    "history/list": async () => ({ sessions: await (await agent()).history() }),
    "history/open": ({ id }) => done(agent().then((running) => running.open(id))),
    "files/find": async ({ query, limit }) => ({ hits: await host.findFiles(query, limit) }),
    "host/open-file": ({ path, line }) => done(host.openFile(path, line)),
    "host/open-link": ({ url }) => done(host.openLink(url)),
    "host/settings": ({ query }) => done(host.openSettings(query)),
    "host/set-key": () => done(host.setKey()),
    "host/show-diff": ({ callId }) => done(host.showDiff(callId)),
    "host/run-proposal": ({ callId }) => done(host.runProposal(callId)),
  };
}
