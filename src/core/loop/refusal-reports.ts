/** Informs the user of what requests leave out because the endpoint does not accept it, and records what is certain. */
import type { Message } from "../../shared/message.ts";
import type { Host } from "../ports/host.ts";
import type { ModelProfile } from "../provider/model-profile.ts";
import { unusualImages } from "../window/refused.ts";
import type { RefusalSearch } from "./refusal-search.ts";
import type { Transcript } from "./transcript.ts";

interface ReportsDeps {
  host: Pick<Host, "newId" | "clock">;
  conversation: Pick<Transcript, "append" | "emit">;
}

export class RefusalReports {
  readonly #deps: ReportsDeps;
  readonly #types = new Set<string>();

  constructor(deps: ReportsDeps) {
    this.#deps = deps;
  }

  /** Reports, once for each type, images that are not sent. */
  unusual(messages: readonly Message[]): void {
    const types = new Set(unusualImages(messages).filter((type) => !this.#types.has(type)));
    if (types.size === 0) return;
    for (const type of types) this.#types.add(type);
    const { conversation, host } = this.#deps;
    const values = [[...types].join(", ")];
    conversation.emit({ type: "notice", id: host.newId(), code: "image-type", values });
  }

  /** Call when a request was answered. Resolves when what the endpoint refuses is on disk. */
  async answered(
    { model, connection }: ModelProfile,
    { certain, count, detail }: ReturnType<RefusalSearch["answered"]>,
  ): Promise<void> {
    const { conversation, host } = this.#deps;
    const words = detail === undefined ? {} : { detail };
    if (certain) {
      const { kind, key } = certain;
      await conversation.append({
        id: host.newId(),
        role: "user",
        createdAt: host.clock.now().toISOString(),
        blocks: [{ type: "refused", model, connection: connection.name, kind, key, ...words }],
      });
    }
    if (count === 0) return;
    const values = [String(count), detail ?? ""];
    conversation.emit({ type: "notice", id: host.newId(), code: "refused-parts", values });
  }
}
