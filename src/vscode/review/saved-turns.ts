/**
 * The turns whose changes editors show, so that these are shown again after the window was reloaded. Neither text nor what changed is
 * stored, which the checkpoints have: only which turn it is, and what of it the user has answered.
 */
import type { Memento } from "vscode";
import * as z from "../../shared/zod.ts";
import { TURNS_KEY } from "./saved-turn-files.ts";

/** Turns, and characters of all of them; the newest stay. */
const MOST = 20;
const MOST_CHARACTERS = 200_000;

/** A hunk that the user kept: which lines it replaced in the file before the turn, and by how many. */
const keptHunkSchema = z.object({ line: z.number(), count: z.number(), now: z.number() });

const savedTurnSchema = z.object({
  session: z.string(),
  /** The user message that began it. */
  mark: z.string(),
  /** The paths by which editors may show a file with a hunk that the user has not answered. */
  open: z.array(z.string()),
  /** By the real paths of the files. */
  kept: z.record(z.string(), z.array(keptHunkSchema)),
});
export type SavedTurn = z.infer<typeof savedTurnSchema>;

export class SavedTurns {
  readonly #memento: Pick<Memento, "get" | "update">;
  #written: string;

  constructor(memento: Pick<Memento, "get" | "update">) {
    this.#memento = memento;
    this.#written = JSON.stringify(memento.get(TURNS_KEY) ?? []);
  }

  /** What a later version stored in another form is left out. */
  read(): SavedTurn[] {
    const stored = z.array(z.unknown()).safeParse(this.#memento.get(TURNS_KEY));
    return (stored.data ?? []).flatMap((each) => savedTurnSchema.safeParse(each).data ?? []);
  }

  /** Replaces all. The newest is the last one. */
  async write(turns: readonly SavedTurn[]): Promise<void> {
    const kept = turns.slice(-MOST);
    while (kept.length > 0 && JSON.stringify(kept).length > MOST_CHARACTERS) kept.shift();
    const written = JSON.stringify(kept);
    if (written === this.#written) return;
    this.#written = written;
    await this.#memento.update(TURNS_KEY, kept.length === 0 ? undefined : kept);
  }
}
