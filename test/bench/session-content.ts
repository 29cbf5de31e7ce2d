/** Sessions as they come about: short words, calls, and results of which a few are long. The same for the same seed. */
import type { Message } from "../../src/shared/message.ts";
import { generator } from "../support/random.ts";

const KANA = "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをん";
const KANJI =
  "設定検索履歴保存変更確認画面表示実行修正追加削除処理関数引数結果失敗成功環境構築開発移行認証権限入力出力";

export class Content {
  readonly #next: () => number;
  readonly #words: string[];

  constructor(seed: number) {
    this.#next = generator(seed);
    this.#words = Array.from({ length: 4000 }, () => this.#word());
  }

  #pick(text: string): string {
    return text[Math.floor(this.#next() * text.length)] ?? "";
  }

  #word(): string {
    if (this.#next() < 0.25) {
      return Array.from({ length: 2 + Math.floor(this.#next() * 4) }, () =>
        this.#pick(this.#next() < 0.4 ? KANJI : KANA),
      ).join("");
    }
    const length = 2 + Math.floor(this.#next() * 9);
    return Array.from({ length }, () => this.#pick("etaoinshrdlucmfwypvbgkjqxz")).join("");
  }

  /** Some `length` characters. Few of the words make most of a text, as in any language. */
  text(length: number): string {
    const parts: string[] = [];
    for (let size = 0; size < length; ) {
      const word = this.#words[Math.floor(this.#next() ** 3 * this.#words.length)] ?? "";
      parts.push(word);
      size += word.length + 1;
    }
    return parts.join(" ");
  }

  /** A task, and then calls with their results: 1 KB of UTF-8 a message in the mean. */
  session(id: string, count: number): Message[] {
    const createdAt = "2025-01-01T00:00:00.000Z";
    return Array.from({ length: count }, (_, index): Message => {
      const common = {
        id: `${id.slice(0, -5)}${index.toString(36).padStart(4, "0")}-${id.slice(-5)}`,
        createdAt,
      };
      if (index === 0) {
        const text = this.text(200);
        return {
          ...common,
          role: "user",
          blocks: [{ type: "text", text, source: "person" }],
          display: text,
        };
      }
      const callId = `call-${index - (index % 2 ? 0 : 1)}`;
      if (index % 2) {
        const params = { path: `src/${this.text(8)}.ts`, diff: this.text(220) };
        return {
          ...common,
          role: "assistant",
          blocks: [
            { type: "text", text: this.text(150) },
            { type: "tool-call", id: callId, name: "replace_in_file", params },
          ],
          usage: { inputTokens: 1000, outputTokens: 100 },
          model: "a-model",
        };
      }
      const dice = this.#next();
      const text = this.text(dice < 0.04 ? 16_000 : dice < 0.3 ? 1500 : 200);
      return {
        ...common,
        role: "tool",
        blocks: [
          {
            type: "tool-result",
            callId,
            name: "replace_in_file",
            label: "replace_in_file",
            outcome: "done",
            parts: [{ type: "text", text }],
            shown: { added: 3, removed: 1 },
          },
        ],
      };
    });
  }
}
