/** How full the model's context window is, as a ring, and the task's cost. Selecting it shows the content of the window. */
import type { Totals } from "../../src/shared/totals.ts";
import type { Translate } from "../../src/shared/words/task-words.ts";
import { onDemand } from "../on-demand.tsx";
import { usePanel, useView } from "../panel.ts";
import { dollars, shortCount, usedText } from "../text/numbers.ts";
import { useOpener } from "./use-opener.ts";

const ContextPopover = onDemand(() => import("./context-popover.tsx"));

/** Circumference of the ring, in units of its drawing. */
const AROUND = 2 * Math.PI * 5.5;

export function ContextRing() {
  const { t } = usePanel();
  const totals = useView((view) => view.totals);
  const { open, button, close, props } = useOpener();
  const { contextTokens: used, contextWindow: size } = totals;
  const share = size > 0 ? Math.min(1, used / size) : 0;
  const usage = usedText(t, totals);
  const spent = spentText(t, totals);
  const facts = [usage, spent].filter((text) => text !== "");
  return (
    <>
      <button
        type="button"
        className="foot-button context-button"
        data-testid="context-meter"
        data-full={share > 0.9}
        data-empty={used === 0 && totals.requests === 0}
        aria-haspopup="dialog"
        aria-label={[t("Context window"), ...facts].join(", ")}
        title={facts.join("\n") || t("Context window")}
        {...props}
      >
        <svg className="context-ring" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <circle cx="8" cy="8" r="5.5" />
          <circle
            cx="8"
            cy="8"
            r="5.5"
            strokeDasharray={`${share * AROUND} ${AROUND}`}
            transform="rotate(-90 8 8)"
          />
        </svg>
        <span className="context-cost" data-testid="cost">
          {spent}
        </span>
      </button>
      {open ? <ContextPopover button={button} close={close} /> : null}
    </>
  );
}

/** What the task has cost, or its tokens where no price is known; "": nothing was sent yet. */
function spentText(
  t: Translate,
  { requests, inputTokens, outputTokens, cost = 0, estimatedTokens = 0 }: Totals,
): string {
  if (requests === 0) return "";
  if (cost > 0) return dollars(cost);
  const tokens = t("{0} tokens", shortCount(inputTokens + outputTokens));
  return estimatedTokens > 0 ? t("about {0}", tokens) : tokens;
}
