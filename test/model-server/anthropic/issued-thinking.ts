/** The thinking that a server has sent, which it takes back only as it was. */
import { Seals } from "../seals.ts";

export class IssuedThinking {
  readonly #seals = new Seals();
  readonly #ofCalls = new Map<string, string>();

  signature(model: string, thinking: string): string {
    return this.#seals.issue(model, thinking);
  }

  /** Thinking that only the model can read. */
  redacted(model: string, thinking: string): string {
    return this.#seals
      .issue(model, `redacted ${thinking}`)
      .concat(`.${Buffer.from(thinking).toString("base64url")}`);
  }

  /** The thinking of the answer that made a call, up to that call. */
  remember(call: string, thinking: readonly unknown[]): void {
    this.#ofCalls.set(call, JSON.stringify(thinking));
  }

  /** Returns why a block of thinking is refused; undefined: this server sent it, and `model` wrote it. */
  fault(block: Record<string, unknown>, model: string): string | undefined {
    if (block.type === "redacted_thinking") {
      const [payload = "", mac = "", text = ""] = String(block.data).split(".");
      const thinking = Buffer.from(text, "base64url").toString();
      return this.#seals.fault(`${payload}.${mac}`, model, `redacted ${thinking}`);
    }
    return this.#seals.fault(String(block.signature), model, String(block.thinking));
  }

  /** Whether the answer that made a call had other thinking than this; unknown calls had none. */
  differs(call: string, thinking: readonly unknown[]): boolean {
    const issued = this.#ofCalls.get(call);
    return issued !== undefined && issued !== JSON.stringify(thinking);
  }
}
