/**
 * The API key in what tools, files and commands give: a placeholder takes its place before anything is stored, sent or shown.
 * The model can do without it, and an endpoint that gets it need not be the one that it is for.
 */
import type { Message } from "../shared/message.ts";
import { withoutSecrets } from "./secrets.ts";

/** Stands where a key was. An edit or a command that contains it is refused: it would replace the key in a file. */
export const removedKey = "[API key removed by Nekode]";

/** Characters from which on a key counts as one. */
const shortest = 8;

/** Local endpoints take any word as a key ("ollama", "not-needed"): cut out of files, it would only spoil them. */
function isOrdinary(key: string): boolean {
  return key.length < shortest || (key.length <= 24 && /^[a-z]+(?:[-_. ][a-z]+)*$/i.test(key));
}

const keyHeader = /auth|key|token|secret|cookie|password/i;

export interface KeySource {
  apiKey(): Promise<string | undefined>;
  settings(): { provider: { headers: Readonly<Record<string, string>> } };
}

export class KeyMask {
  readonly #source: KeySource | undefined;
  readonly #keys = new Set<string>();
  /** Each form in which a key may stand, for what arrives in pieces. */
  #forms: string[] = [];

  /** Without a source it knows what it learns alone. */
  constructor(source?: KeySource) {
    this.#source = source;
  }

  /** A key stays known after the user changed it: what holds it may still be read. */
  learn(apiKey: string | undefined, headers: Readonly<Record<string, string>>): void {
    const values = Object.entries(headers).flatMap(([name, value]) => (keyHeader.test(name) ? [value] : []));
    for (const value of [apiKey ?? "", ...values]) {
      const key = value.trim().replace(/^(?:Bearer|Basic)\s+/i, "");
      if (isOrdinary(key) || this.#keys.has(key)) continue;
      this.#keys.add(key);
      const escaped = JSON.stringify(key).slice(1, -1);
      this.#forms.push(...new Set([key, escaped, encodeURIComponent(key), ...inBase64(key)]));
    }
  }

  /** The text without any key, however it is escaped. */
  text(text: string): string {
    if (this.#keys.size === 0) return text;
    const plain = withoutSecrets(text, this.#keys, removedKey);
    return this.#forms.reduce(
      (masked, form) => (masked.includes(form) ? masked.replaceAll(form, removedKey) : masked),
      plain,
    );
  }

  /** What a user or a tool says; the model's own words stay as they are. */
  async message(message: Message): Promise<Message> {
    if (this.#source) this.learn(await this.#source.apiKey(), this.#source.settings().provider.headers);
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
        default:
          return block;
      }
    });
    return { ...message, blocks };
  }

  #shown<T extends { text?: string | undefined; output?: string | undefined }>(shown: T): T {
    return {
      ...shown,
      ...(shown.text === undefined ? {} : { text: this.text(shown.text) }),
      ...(shown.output === undefined ? {} : { output: this.text(shown.output) }),
    };
  }

  /** For text that arrives in pieces: what may be the beginning of a key waits for the next piece, or for the end. */
  stream(give: (text: string) => void): { push(text: string): void; end(): void } {
    let held = "";
    const say = (text: string) => {
      if (text !== "") give(text);
    };
    return {
      push: (text) => {
        const all = this.text(held + text);
        const waits = this.#beginning(all);
        held = all.slice(all.length - waits);
        say(all.slice(0, all.length - waits));
      },
      end: () => {
        say(held);
        held = "";
      },
    };
  }

  /** Characters at the end of a text that may be the beginning of a key. */
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

/** What base64 makes of the key at each of the three places at which it may begin, without the letters at its ends. */
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
