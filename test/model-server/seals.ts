import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/**
 * What a server signs or encrypts, and recognizes later: each seal is bound to a model and to a text, and no other server
 * accepts it.
 */
export class Seals {
  readonly #secret = randomBytes(32);

  /** Returns the seal of a text that `model` wrote. */
  issue(model: string, text: string): string {
    const digest = createHash("sha256").update(text).digest("base64url");
    const payload = Buffer.from(JSON.stringify({ model, digest })).toString("base64url");
    return `${payload}.${this.#mac(payload)}`;
  }

  /** Returns why a seal is refused; undefined: this server issued it for this model and text. */
  fault(seal: string, model: string, text: string): string | undefined {
    const [payload = "", mac = ""] = seal.split(".");
    const expected = Buffer.from(this.#mac(payload));
    const given = Buffer.from(mac);
    if (given.length !== expected.length || !timingSafeEqual(given, expected))
      return "not issued by this server";
    if (seal === this.issue(model, text)) return undefined;
    return Buffer.from(payload, "base64url").toString().includes(JSON.stringify(model))
      ? "issued for another text"
      : "issued for another model";
  }

  #mac(payload: string): string {
    return createHmac("sha256", this.#secret).update(payload).digest("base64url");
  }
}
