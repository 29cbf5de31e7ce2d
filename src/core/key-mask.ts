/**
 * Masks the API key in what tools, files and commands return, before anything is stored, sent or shown. The model does
 * not need the key, and the endpoint that receives the text may not be the one that the key is for.
 */

import type { HitList, Message, ShownResult } from "../shared/message.ts";
import { type Connection, firstConnection, type ModelSettings } from "../shared/models/connection.ts";
import { unreachable } from "../shared/unreachable.ts";
import { withoutSecrets } from "./secrets.ts";

/** Replaces a key. An edit or command that contains it is rejected, because it would replace the key in a file. */
export const REMOVED_KEY = "[API key removed by Nekode]";

/** Minimum length of a key, in characters. */
const SHORTEST = 8;

/**
 * Local endpoints accept any word as a key ("ollama", "not-needed"). Removing such words from files would corrupt them.
 */
function isOrdinary(key: string): boolean {
  return key.length < SHORTEST || (key.length <= 24 && /^[a-z]+(?:[-_. ][a-z]+)*$/i.test(key));
}

const KEY_HEADER = /auth|key|token|secret|cookie|password/i;

export interface KeySource {
  apiKey(connection: Connection): Promise<string | undefined>;
  /** Keys for other services, such as a search provider's. */
  otherKeys?(): Promise<readonly string[]>;
  settings(): ModelSettings;
}

export class KeyMask {
  readonly #source: KeySource | undefined;
  readonly #keys = new Set<string>();
  /** Every form in which a key may occur, to mask text that arrives in chunks. */
  #forms: string[] = [];

  /** Without a source, the mask knows only what `learn` was called with. */
  constructor(source?: KeySource) {
    this.#source = source;
  }

  /** A key stays known after the user changes it, because text that contains it may still be read. */
  learn(apiKey: string | undefined, headers: Readonly<Record<string, string>>): void {
    const values = Object.entries(headers).flatMap(([name, value]) => (KEY_HEADER.test(name) ? [value] : []));
    for (const value of [apiKey ?? "", ...values]) {
      const key = value.trim().replace(/^(?:Bearer|Basic)\s+/i, "");
      if (isOrdinary(key) || this.#keys.has(key)) continue;
      this.#keys.add(key);
      const escaped = JSON.stringify(key).slice(1, -1);
      this.#forms.push(...new Set([key, escaped, encodeURIComponent(key), ...inBase64(key)]));
    }
  }

  /** Returns the text with all keys masked, however they are escaped. */
  text(text: string): string {
    if (this.#keys.size === 0) return text;
    const plain = withoutSecrets(text, this.#keys, REMOVED_KEY);
    return this.#forms.reduce(
      (masked, form) => (masked.includes(form) ? masked.replaceAll(form, REMOVED_KEY) : masked),
      plain,
    );
  }

  /**
   * Whether the text contains a key, also percent-encoded, in base64, or in lower case, as host names are. For text
   * that leaves the machine.
   */
  async contains(text: string): Promise<boolean> {
    await this.#learnCurrent();
    const forms = [text, ...percentDecoded(text)];
    const keys = [...this.#keys].map((key) => key.toLowerCase());
    return forms.some(
      (form) => this.text(form) !== form || keys.some((key) => form.toLowerCase().includes(key)),
    );
  }

  async #learnCurrent(): Promise<void> {
    if (!this.#source) return;
    const settings = this.#source.settings();
    // Also those without an address: their key may still be in files.
    for (const connection of [firstConnection(settings), ...settings.connections])
      this.learn(await this.#source.apiKey(connection), connection.headers);
    for (const key of (await this.#source.otherKeys?.()) ?? []) this.learn(key, {});
  }

  /** Returns a function that masks the keys as they are now, for text of any author. */
  async current(): Promise<(text: string) => string> {
    await this.#learnCurrent();
    return (text) => this.text(text);
  }

  /** Masks what a user or a tool wrote. The model's own text stays unchanged. */
  async message(message: Message): Promise<Message> {
    await this.#learnCurrent();
    if (this.#keys.size === 0 || message.role === "assistant") return message;
    const blocks = message.blocks.map((block): Message["blocks"][number] => {
      switch (block.type) {
        case "text":
          return { ...block, text: this.text(block.text) };
        case "rules":
          return { ...block, rules: block.rules.map((rule) => ({ ...rule, text: this.text(rule.text) })) };
        case "tool-result": {
          const { shown } = block;
          const parts = block.parts.map((part) =>
            part.type === "text" ? { ...part, text: this.text(part.text) } : part,
          );
          return { ...block, parts, ...(shown ? { shown: this.#shown(shown) } : {}) };
        }
        // Neither the user nor a tool wrote a text in these.
        case "reasoning":
        case "tool-call":
        case "image":
        case "refused":
        case "window":
        case "answers":
        case "chosen":
          return block;
        default:
          return unreachable(block);
      }
    });
    return { ...message, blocks };
  }

  #shown(shown: ShownResult): ShownResult {
    const { fault, hits } = shown;
    return {
      ...shown,
      ...(fault ? { fault: { ...fault, values: fault.values.map((value) => this.text(value)) } } : {}),
      ...(shown.text === undefined ? {} : { text: this.text(shown.text) }),
      ...(shown.output === undefined ? {} : { output: this.text(shown.output) }),
      ...(hits ? { hits: { ...hits, found: hits.found.map((hit) => this.#hit(hit)) } } : {}),
    };
  }

  #hit(hit: HitList["found"][number]): HitList["found"][number] {
    const path = this.text(hit.path);
    return hit.text === undefined ? { ...hit, path } : { ...hit, path, text: this.text(hit.text) };
  }

  /**
   * Masks text that arrives in chunks. Text that may be the start of a key is held back until the next chunk or the
   * end.
   */
  stream(emit: (text: string) => void): { push(text: string): void; end(): void } {
    let pending = "";
    const emitText = (text: string) => {
      if (text !== "") emit(text);
    };
    return {
      push: (text) => {
        const all = this.text(pending + text);
        const pendingLength = this.#beginning(all);
        pending = all.slice(all.length - pendingLength);
        emitText(all.slice(0, all.length - pendingLength));
      },
      end: () => {
        emitText(pending);
        pending = "";
      },
    };
  }

  /** Returns the number of characters at the end of a text that may be the start of a key. */
  #beginning(text: string): number {
    let longest = 0;
    for (const form of this.#forms) {
      for (let size = Math.min(form.length - 1, text.length); size > longest; size--) {
        if (text.endsWith(form.slice(0, size))) longest = size;
      }
    }
    return longest;
  }
}

/** The text with its percent escapes decoded once and twice. */
function percentDecoded(text: string): string[] {
  const decode = (escaped: string) =>
    escaped.replace(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  const once = decode(text);
  return [once, decode(once)];
}

/**
 * Returns the base64 forms of the key at each of the three possible alignments, without the characters at either end,
 * which depend on adjacent bytes.
 */
function inBase64(key: string): string[] {
  const bytes = new TextEncoder().encode(key);
  const forms = [0, 1, 2].flatMap((before) => {
    const padded = new Uint8Array([...new Uint8Array(before), ...bytes]);
    const text = btoa(Array.from(padded, (byte) => String.fromCharCode(byte)).join(""));
    const from = before === 0 ? 0 : before + 1;
    const whole = Math.floor((padded.length * 8) / 6);
    const core = text.slice(from, whole);
    return [core, core.replaceAll("+", "-").replaceAll("/", "_")];
  });
  return forms.filter((form) => form.length >= 10);
}
