/**
 * The panel's end in the host: answers each request of the protocol and passes the task's events on. Knows no editor:
 * what needs one is in `PanelHost`.
 */

import { Interrupt } from "../../core/errors.ts";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import type { Clock } from "../../core/ports/system.ts";
import { SessionTakenOver } from "../../core/sessions/claims.ts";
import { ImportRefused, importLimit } from "../../core/sessions/exchange.ts";
import { NotSaved } from "../../core/sessions/not-saved.ts";
import { historyQuerySchema, type Notification, type NotificationName } from "../../shared/protocol.ts";
import { type Handlers, type Server, serve, type Transport } from "../../shared/rpc.ts";
import { importRefusalText } from "../../shared/words/history-words.ts";
import { notSavedText } from "../../shared/words/task-words.ts";
import { EventStream } from "./event-stream.ts";
import { leaving, type Unsaid } from "./leaving.ts";
import type { Agent, PanelHost } from "./panel-ports.ts";

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

  const insert = ({ text, images }: Unsaid) => {
    server.notify("composer/insert", images.length > 0 ? { text, images: [...images] } : { text });
  };
  const server: Server = serve(transport, handlers(connected, host, pageOpened, insert), log);
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
    host.rules.onChange(() => {
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

interface Ready {
  agent: Agent;
  events: EventStream;
}

/** Takes in every file that is a session; throws, in words, what is wrong with the first that is not. */
async function importFiles(library: Agent["library"], host: PanelHost): Promise<number> {
  let imported = 0;
  for (const bytes of await host.chooseFiles(importLimit)) {
    try {
      if (!bytes) throw new ImportRefused("too-large");
      await library.import(bytes);
      imported += 1;
    } catch (error) {
      if (!(error instanceof ImportRefused)) throw error;
      throw new Error(importRefusalText(host.t, error.code, error.detail));
    }
  }
  return imported;
}

function handlers(
  connected: () => Promise<Ready>,
  host: PanelHost,
  pageOpened: () => void,
  insert: (draft: Unsaid) => void,
): Handlers {
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
    "chat/open": async ({ draft: remembered }) => {
      const { events } = await connected();
      const [setup, draft] = await Promise.all([host.setup(), host.draft(remembered)]);
      pageOpened();
      return { ...events.snapshot(), setup, ...(draft ? { draft } : {}) };
    },
    "chat/draft": (draft) => done(host.keepDraft(draft)),
    "chat/send": async ({ text, images }) => {
      try {
        const running = await agent();
        // The message is not on disk before everything that it mentions has been read. Until then the draft preserves it.
        await host.draftKept();
        return await running.send(text, images);
      } catch (error) {
        const { t } = host;
        if (error instanceof NotSaved) throw new Error(`${notSavedText(t)} (${error.message})`);
        if (error instanceof Interrupt)
          throw new Error(t("Stopped before the message was on its way. It is in the input again."));
        if (!(error instanceof SessionTakenOver)) throw error;
        throw new Error(t("Another window works on this task now. Your message was not sent."));
      }
    },
    "chat/earlier": async ({ until, all = false }) => {
      const { agent: running, events } = await connected();
      await running.showEarlier(until === undefined ? { all } : { until, all });
      // Whoever asked has it all when the answer comes.
      events.flush();
      return {};
    },
    "chat/stop": () => done(agent().then((running) => running.stop())),
    "chat/new": async () => {
      const running = await agent();
      await leaving(running, () => running.newTask(), insert);
      return {};
    },
    "chat/retry": () => done(agent().then((running) => running.retry())),
    "chat/mode": ({ mode }) => done(agent().then((running) => running.setMode(mode))),
    "chat/approve": async ({ callId, comment, always = false }) => ({
      accepted: (await agent()).approve(callId, comment, { always }),
    }),
    "chat/reject": async ({ callId, comment }) => ({ accepted: (await agent()).reject(callId, comment) }),
    "chat/why": async ({ callId }) => {
      const explanation = await (await agent()).waitingCalls.why(callId);
      return explanation ? { explanation } : {};
    },
    "chat/go-on": async ({ callId }) => ({ accepted: (await agent()).goingOn.goOn(callId) }),
    "chat/unqueue": ({ id }) => done(agent().then((running) => running.unqueue(id))),
    "chat/edit": ({ messageId, text, images }) =>
      done(agent().then((running) => running.editAndResend(messageId, text, images))),
    "chat/left-out": async ({ notice }) => (await agent()).leftOut(notice),
    "host/show-part": async ({ id }) => {
      const part = (await agent()).part(id);
      if (!part) throw new Error(host.t("This is not in the task any more."));
      return done(host.showText(part.name, part.text));
    },
    "chat/fork": async ({ messageId }) => {
      insert(await (await agent()).fork(messageId));
      return {};
    },
    "history/list": async (query) => (await agent()).library.find(historyQuerySchema.parse(query)),
    "history/open": async ({ id, takeOver = false }) => {
      const running = await agent();
      return leaving(running, () => running.open(id, { takeOver }), insert);
    },
    "history/open-other": async ({ id, project, how }) => {
      const running = await agent();
      if (how === "copy") {
        const copy = await running.library.copy(id, project);
        await leaving(running, () => running.open(copy), insert);
        return {};
      }
      const other = await running.library.other(id, project);
      if (!other) throw new Error(host.t("This task is not there any more."));
      if (how === "folder") return done(host.openProject(other.project.folder));
      const { name, text } = await running.library.export(id, "md", host.t, project);
      return done(host.showText(name, text));
    },
    "history/rename": ({ id, title }) => done(agent().then(({ library }) => library.rename(id, title))),
    "history/favourite": ({ id, favourite }) =>
      done(agent().then(({ library }) => library.setFavourite(id, favourite))),
    "history/delete": async ({ id }) => ({ undoMs: await (await agent()).deleteSession(id) }),
    "history/undelete": ({ id }) => done(agent().then(({ library }) => library.undelete(id))),
    "history/export": async ({ id, format, project }) => {
      const { name, text } = await (await agent()).library.export(id, format, host.t, project);
      await host.saveFile(name, text);
      return {};
    },
    "history/import": async () => ({ imported: await importFiles((await agent()).library, host) }),
    "slash/list": async () => ({ commands: await (await connected()).agent.slashCommands() }),
    "chat/todo": ({ markdown }) => done(agent().then((running) => running.setTodo(markdown))),
    "host/edit-todo": () => done(host.editTodo()),
    "git/commits": async ({ query }) => ({ commits: await (await connected()).agent.commits(query) }),
    "files/find": async ({ query, limit, kind }) => ({ hits: await host.findFiles(query, limit, kind) }),
    "files/mention": ({ uris }) => host.mentionUris(uris),
    "rules/list": () => host.rules.list(),
    "rules/switch": (params) => done(host.rules.switch(params)),
    "rules/open": ({ name }) => done(host.rules.open(name)),
    "rules/new": ({ place }) => done(host.rules.create(place)),
    "checkpoint/changes": ({ id, only }) => done(host.showChanges(id, only)),
    "checkpoint/restore": async ({ id, conversation }) => {
      if (await host.restore(id, conversation)) insert(await (await agent()).fork(id));
      return {};
    },
    "chat/undo": ({ callId }) => done(host.undo(callId)),
    "host/open-file": ({ path, line }) => done(host.openFile(path, line)),
    "host/open-link": ({ url }) => done(host.openLink(url)),
    "host/settings": ({ query }) => done(host.openSettings(query)),
    "host/set-key": () => done(host.setKey()),
    "host/show-diff": ({ callId }) => done(host.showDiff(callId)),
    "host/run-proposal": ({ callId }) => done(host.runProposal(callId)),
  };
}
