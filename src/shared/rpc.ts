/**
 * Typed requests and notifications over any channel that carries values: postMessage, or an in-memory pair in tests.
 */
import { messageOf } from "./message-of.ts";
import {
  type Frame,
  frameSchema,
  type Notification,
  type NotificationName,
  notifications,
  type Params,
  type RequestName,
  type Result,
  requests,
} from "./protocol.ts";

export interface Transport {
  send(frame: Frame): void;
  /** Calls `receive` with each raw value that arrives; returns a function that unsubscribes. */
  listen(receive: (value: unknown) => void): () => void;
}

export type Handlers = { [N in RequestName]: (params: Params<N>) => Promise<Result<N>> };
export type NotificationHandlers = { [N in NotificationName]: (params: Notification<N>) => void };

export interface Server {
  notify<N extends NotificationName>(name: N, params: Notification<N>): void;
  dispose(): void;
}

function isRequestName(name: string): name is RequestName {
  return Object.hasOwn(requests, name);
}

function isNotificationName(name: string): name is NotificationName {
  return Object.hasOwn(notifications, name);
}

/**
 * Answers requests with `handlers`. An unknown request or invalid params are answered with an error; other frames are
 * logged.
 */
export function serve(transport: Transport, handlers: Handlers, log: (text: string) => void): Server {
  async function call<N extends RequestName>(name: N, params: unknown): Promise<unknown> {
    const handler: (params: Params<N>) => Promise<Result<N>> = handlers[name];
    const parsed = requests[name].params.safeParse(params);
    if (!parsed.success) throw new Error(`${name}: ${parsed.error.message}`);
    return handler(parsed.data as Params<N>);
  }
  const end = transport.listen((value) => {
    const frame = frameSchema.safeParse(value);
    if (!frame.success || frame.data.frame !== "request") {
      log(`a frame from the panel was not a request: ${JSON.stringify(value).slice(0, 200)}`);
      return;
    }
    const { id, name, params } = frame.data;
    if (!isRequestName(name)) {
      transport.send({ frame: "error", id, message: `unknown request: ${name}` });
      return;
    }
    call(name, params).then(
      (result) => transport.send({ frame: "result", id, result }),
      (error: unknown) => {
        log(`${name}: ${messageOf(error)}`);
        transport.send({ frame: "error", id, message: messageOf(error) });
      },
    );
  });
  return {
    notify: (name, params) => transport.send({ frame: "notification", name, params }),
    dispose: end,
  };
}

export interface Client {
  call<N extends RequestName>(name: N, params: Params<N>): Promise<Result<N>>;
  dispose(): void;
}

/** Sends requests and passes notifications to `handlers`. Dispose rejects pending requests. */
export function connect(
  transport: Transport,
  handlers: NotificationHandlers,
  log: (text: string) => void,
): Client {
  const pending = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let nextId = 1;
  function notified<N extends NotificationName>(name: N, params: unknown): void {
    const handler: (params: Notification<N>) => void = handlers[name];
    const parsed = notifications[name].safeParse(params);
    if (parsed.success) handler(parsed.data as Notification<N>);
    else log(`${name}: ${parsed.error.message}`);
  }
  const end = transport.listen((value) => {
    const parsed = frameSchema.safeParse(value);
    if (!parsed.success) return;
    const frame = parsed.data;
    if (frame.frame === "notification") {
      if (isNotificationName(frame.name)) notified(frame.name, frame.params);
      else log(`unknown notification: ${frame.name}`);
      return;
    }
    if (frame.frame === "request") return;
    const waiting = pending.get(frame.id);
    pending.delete(frame.id);
    if (frame.frame === "result") waiting?.resolve(frame.result);
    else waiting?.reject(new Error(frame.message));
  });
  return {
    async call(name, params) {
      const id = nextId++;
      const result = await new Promise<unknown>((resolve, reject) => {
        pending.set(id, { resolve, reject });
        transport.send({ frame: "request", id, name, params });
      });
      return requests[name].result.parse(result) as Result<typeof name>;
    },
    dispose() {
      end();
      for (const waiting of pending.values())
        waiting.reject(new Error("the connection to the host is closed"));
      pending.clear();
    },
  };
}
