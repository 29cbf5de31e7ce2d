/** A review in no session, for a program that wants the report alone. */
import { modelFor, modelName } from "../../../shared/models/connection.ts";
import type { ReviewProgress, ReviewReport, ReviewScope } from "../../../shared/review.ts";
import type { SessionParts } from "../session-parts.ts";
import type { ReviewCore } from "./review-core.ts";
import { costOfReview, ReviewRun } from "./review-run.ts";

/** What it costs counts for the day. Rejects as `ReviewRun.run` does. */
export async function reviewProject(
  core: ReviewCore,
  parts: SessionParts,
  scope: ReviewScope,
  listener: { signal: AbortSignal; onProgress(progress: ReviewProgress): void },
): Promise<ReviewReport> {
  const { spending } = parts;
  const model = modelName(modelFor(parts.settings(), "act"));
  const deps = { ...parts, core, ...(spending ? { today: () => spending.today() } : {}) };
  const run = new ReviewRun(deps, { scope, model, spentBefore: 0 }, listener);
  try {
    return await run.run();
  } finally {
    if (run.spent.length > 0) spending?.add(costOfReview(run.spent));
  }
}
