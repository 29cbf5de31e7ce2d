/** JSON-RPC as language servers speak it: messages with a header that has their length, over the standard streams of a process. */
import type { Readable, Writable } from "node:stream";
import * as z from "../../shared/zod.ts";
import { within } from "../clock.ts";
import type { CoreErrors } from "./core-errors.ts";

/** Bytes of one header and of one message. */
const MOST_HEADER = 4 * 1024;
const MOST_MESSAGE = 64 * 1024 * 1024;
/** Bytes that wait for a server to read them. */
const MOST_UNREAD = 64 * 1024 * 1024;
const HEADER_END = "\r\n\r\n";
const METHOD_NOT_FOUND = -32_601;
/** The content changed while the server worked, or the server canceled the request itself. Asking again helps. */
const RETRIED = [-32_801, -32_802];
const MOST_RETRIES = 3;

const idSchema = z.union([z.string(), z.number()]);
const messageSchema = z.object({
  id: z.nullish(idSchema),
  method: z.optional(z.string()),
  params: z.optional(z.unknown()),
  result: z.optional(z.unknown()),
  error: z.optional(z.object({ code: z.number(), message: z.string() })),
});
type Message = z.infer<typeof messageSchema>;

export interface RpcEvents {
  /** Returns the result of a request of the server; undefined: the client does not have this method. */
  onRequest(method: string, params: unknown): { result: unknown } | undefined;
  onNotification(method: string, params: unknown): void;
  /** What came is not this protocol, or the server does not read. Nothing is read after this. */
  onFault(why: string): void;
}

interface Waiting {
  resolve(message: Message): void;
  reject(error: Error): void;
}

export interface RequestLimits {
  signal: AbortSignal;
  timeoutMs: number;
}

export class RpcConnection {
  readonly #input: Writable;
  readonly #events: RpcEvents;
  readonly #errors: CoreErrors;
  /** The server's name, for errors. */
  readonly #name: string;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #pieces: Buffer[] = [];
  #size = 0;
  /** Bytes of the message that is being read; undefined: its header is being read. */
  #length: number | undefined;
  #closed: Error | undefined;

  constructor(
    name: string,
    { stdin, stdout }: { stdin: Writable; stdout: Readable },
    events: RpcEvents,
    errors: CoreErrors,
  ) {
    this.#name = name;
    this.#input = stdin;
    this.#events = events;
    this.#errors = errors;
    stdout.on("data", (chunk: Buffer) => this.#read(chunk));
  }

  /** Rejects with ToolError if the server refuses, ends or does not answer in time, and with Interrupt when the signal aborts. */
  async request(method: string, params: unknown, limits: RequestLimits): Promise<unknown> {
    for (let attempt = 0; ; attempt++) {
      const { result, error } = await this.#ask(method, params, limits);
      if (error === undefined) return result;
      if (!RETRIED.includes(error.code) || attempt >= MOST_RETRIES)
        throw new this.#errors.ToolError(`The language server ${this.#name} reports: ${error.message}`);
    }
  }

  async #ask(method: string, params: unknown, { signal, timeoutMs }: RequestLimits): Promise<Message> {
    if (signal.aborted) throw new this.#errors.Interrupt();
    if (this.#closed) throw this.#closed;
    const id = ++this.#lastId;
    let onAbort = () => {};
    const answer = new Promise<Message>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      onAbort = () => reject(new this.#errors.Interrupt());
      signal.addEventListener("abort", onAbort, { once: true });
    });
    try {
      this.#write({ id, method, params });
      const answered = await within(answer, timeoutMs);
      if (answered !== "late") return answered;
      throw new this.#errors.ToolError(
        `The language server ${this.#name} did not answer within ${timeoutMs / 1000} s.`,
      );
    } finally {
      signal.removeEventListener("abort", onAbort);
      if (this.#waiting.delete(id)) this.notify("$/cancelRequest", { id });
    }
  }

  notify(method: string, params: unknown): void {
    if (!this.#closed) this.#write({ method, params });
  }

  /** Everything that waits, and every later request, rejects with this. */
  close(why: Error): void {
    if (this.#closed) return;
    this.#closed = why;
    for (const { reject } of this.#waiting.values()) reject(why);
    this.#waiting.clear();
    this.#pieces = [];
  }

  #write(message: object): void {
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    if (!this.#input.writable) return;
    this.#input.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}${HEADER_END}`), body]));
    if (this.#input.writableLength > MOST_UNREAD) this.#events.onFault("it reads nothing");
  }

  #read(chunk: Buffer): void {
    if (this.#closed) return;
    this.#pieces.push(chunk);
    this.#size += chunk.length;
    // The pieces of a long message are joined once, when it is complete.
    while (!this.#closed && this.#size >= (this.#length ?? 1)) if (!this.#take()) return;
  }

  /** Reads one header or one message. Returns false if more bytes are needed. */
  #take(): boolean {
    const bytes = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces);
    if (!bytes) return false;
    if (this.#length !== undefined) {
      const text = bytes.toString("utf8", 0, this.#length);
      this.#keep(bytes.subarray(this.#length));
      this.#length = undefined;
      this.#onText(text);
      return true;
    }
    const end = bytes.indexOf(HEADER_END);
    const length = end < 0 ? undefined : lengthIn(bytes.toString("latin1", 0, end));
    if (length !== undefined) {
      this.#keep(bytes.subarray(end + HEADER_END.length));
      this.#length = length;
      return true;
    }
    this.#keep(bytes);
    if (end >= 0 || bytes.length > MOST_HEADER)
      this.#events.onFault("it writes something other than the protocol to its standard output");
    return false;
  }

  #keep(rest: Buffer): void {
    this.#pieces = rest.length === 0 ? [] : [rest];
    this.#size = rest.length;
  }

  #onText(text: string): void {
    const message = messageSchema.safeParse(parsed(text)).data;
    if (!message) {
      this.#events.onFault("it sent a message that is not JSON-RPC");
      return;
    }
    const { id, method, params } = message;
    if (method === undefined) {
      if (typeof id !== "number") return;
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      waiting?.resolve(message);
      return;
    }
    if (id === undefined || id === null) {
      this.#events.onNotification(method, params);
      return;
    }
    const answer = this.#events.onRequest(method, params);
    this.#write({
      id,
      ...(answer ?? { error: { code: METHOD_NOT_FOUND, message: `The client has no method ${method}.` } }),
    });
  }
}

/** undefined: the header has no usable length. */
function lengthIn(header: string): number | undefined {
  const [, digits] = /^content-length:[ \t]*(\d{1,9})[ \t]*$/im.exec(header) ?? [];
  const length = Number(digits ?? Number.NaN);
  return length > 0 && length <= MOST_MESSAGE ? length : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
