/** The reasoning that this server issued, as OpenAI encrypts it: for one model, and unusable when it is changed. */
import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { refuse } from "../api-error.ts";

interface Issued {
  id: string;
  model: string;
  /** The item's place among all that the server issued. */
  number: number;
}

export class IssuedReasoning {
  readonly #key = randomBytes(32);
  readonly #issued = new Map<string, Issued>();

  /** Returns an item's id and its reasoning in encrypted form. */
  issue(model: string): { id: string; encrypted: string } {
    const id = `rs_${randomUUID().replaceAll("-", "")}`;
    const number = this.#issued.size;
    const payload = Buffer.from(JSON.stringify({ id, model, number })).toString("base64url");
    const encrypted = `gAAAA${payload}.${this.#seal(payload)}`;
    this.#issued.set(encrypted, { id, model, number });
    return { id, encrypted };
  }

  /** Throws a 400 unless the server issued this very item for this model. Returns its place among all issued items. */
  verify(item: { id: unknown; encrypted: string }, model: string, at: string): number {
    const { id, encrypted } = item;
    const issued = this.#issued.get(encrypted);
    const start = `The encrypted content ${encrypted.slice(0, 4)}...${encrypted.slice(-4)} could not be verified. Reason: `;
    const reject = (reason: string): never =>
      refuse(`${at}.encrypted_content`, "invalid_encrypted_content", `${start}${reason}`);
    if (!issued) reject("Encrypted content could not be decrypted or parsed.");
    else if (issued.model !== model) reject(`It was issued for the model '${issued.model}', not '${model}'.`);
    else if (issued.id !== id) reject(`Encrypted content item_id did not match the target item id.`);
    return issued?.number ?? -1;
  }

  #seal(payload: string): string {
    return createHmac("sha256", this.#key).update(payload).digest("base64url");
  }
}
