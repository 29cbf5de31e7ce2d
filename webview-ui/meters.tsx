import { prefixBreakText } from "../src/shared/words/prefix-words.ts";
import { usePanel, useView } from "./panel.ts";
import { dollars, shortCount } from "./text/numbers.ts";

/** How full the model's context window is, and the task's cost so far. */
export function Meters() {
  const { t } = usePanel();
  const totals = useView((view) => view.totals);
  if (totals.requests === 0 && totals.contextTokens === 0) return null;
  const { contextTokens: used, contextWindow: size } = totals;
  const share = size > 0 ? Math.min(1, used / size) : 0;
  const percent = Math.round(share * 100);
  const tokens = totals.inputTokens + totals.outputTokens;
  const cached = totals.inputTokens > 0 ? Math.round((100 * totals.cachedTokens) / totals.inputTokens) : 0;
  const { cost = 0, contextEstimated: about = false } = totals;
  const said = about
    ? t("About {0} of {1} tokens, {2}%. Estimated: the endpoint reports no count.", used, size, percent)
    : t("{0} of {1} tokens, {2}%", used, size, percent);
  const ratio = `${shortCount(used)} / ${shortCount(size)} (${percent}%)`;
  const usage = t(
    "Input: {0} tokens ({1} cached), output: {2}, requests: {3}",
    totals.inputTokens,
    totals.cachedTokens,
    totals.outputTokens,
    totals.requests,
  );
  const { cacheWriteTokens: written = 0 } = totals;
  const { saved = 0 } = totals;
  const kept = [
    ...(written > 0 ? [t("Written to the prompt cache: {0} tokens", written)] : []),
    ...(saved > 0 ? [t("Saved by the prompt cache: {0}", dollars(saved))] : []),
    ...(saved < 0 ? [t("Writing the prompt cache cost {0} more than it saved", dollars(-saved))] : []),
  ];
  const breaks = (totals.prefixBreaks ?? []).map(({ cause, count, tokens, cost: lost }) => {
    const figures = [count, prefixBreakText(t, cause), shortCount(tokens)] as const;
    const text = t("Prompt cache not used {0} times: {1}; about {2} tokens", ...figures);
    return lost === undefined ? text : t("{0}, about {1}", text, dollars(lost));
  });
  const spent = t("{0} tokens", shortCount(tokens));
  return (
    <div className="meters">
      {size > 0 ? (
        // biome-ignore lint/a11y/useSemanticElements: <meter> cannot be colored by the theme
        <div
          className="context"
          data-testid="context-meter"
          role="meter"
          aria-label={t("Context window")}
          aria-valuemin={0}
          aria-valuemax={size}
          aria-valuenow={Math.min(used, size)}
          aria-valuetext={said}
          title={said}
          data-full={share > 0.9}
        >
          <span className="context-bar">
            <span className="context-fill" style={{ width: `${share * 100}%` }} />
          </span>
          <span aria-hidden="true">{about ? t("about {0}", ratio) : ratio}</span>
        </div>
      ) : null}
      <span className="cost" data-testid="cost" title={[usage, ...kept, ...breaks].join("\n")}>
        <span className="only-heard">{t("Cost")}: </span>
        {cost > 0 ? dollars(cost) : (totals.estimatedTokens ?? 0) > 0 ? t("about {0}", spent) : spent}
        {cached > 0 ? <span className="cached">{t("{0}% cached", cached)}</span> : null}
      </span>
    </div>
  );
}
