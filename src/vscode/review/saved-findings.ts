/**
 * The findings whose threads are open, so that they are there again after the window was reloaded. They are stored without the code that
 * they are about, of which only a hash is kept.
 */
import type { Memento } from "vscode";
import { reviewFindingSchema } from "../../shared/review.ts";
import * as z from "../../shared/zod.ts";
import { FINDINGS_KEY } from "./findings-key.ts";

/** Findings, and characters of all of them; the newest stay. */
const MOST = 200;
const MOST_CHARACTERS = 400_000;

const savedSchema = z.object({
  session: z.string(),
  /** Absolute. */
  file: z.string(),
  finding: reviewFindingSchema,
  /** Of the text at the place that the thread had. */
  hash: z.string(),
});
export type SavedFinding = z.infer<typeof savedSchema>;

export class SavedFindings {
  readonly #memento: Pick<Memento, "get" | "update">;

  constructor(memento: Pick<Memento, "get" | "update">) {
    this.#memento = memento;
  }

  /** What a later version stored in another form is left out. */
  read(): SavedFinding[] {
    const stored = z.array(z.unknown()).safeParse(this.#memento.get(FINDINGS_KEY));
    return (stored.data ?? []).flatMap((each) => {
      const saved = savedSchema.safeParse(each);
      return saved.success ? [saved.data] : [];
    });
  }

  /** Replaces all. */
  async write(findings: readonly SavedFinding[]): Promise<void> {
    const kept: SavedFinding[] = [];
    let room = MOST_CHARACTERS;
    for (const each of findings.slice(-MOST).reverse()) {
      const { length } = JSON.stringify(each);
      if (length > room) continue;
      room -= length;
      kept.unshift(each);
    }
    await this.#memento.update(FINDINGS_KEY, kept.length === 0 ? undefined : kept);
  }
}
