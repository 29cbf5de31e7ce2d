/** What the message would send, for the tooltip of the Send button: asked for when the pointer or the focus is on it. */
import { useState } from "react";
import type { Forecast } from "../../src/shared/models/forecast.ts";
import { usePanel } from "../panel.ts";
import { dollars, shortCount } from "../text/numbers.ts";

export function useForecast(text: () => string): { hint: string | undefined; ask(): void } {
  const { t, actions } = usePanel();
  const [forecast, setForecast] = useState<Forecast>();
  const ask = () => {
    void actions.ask("chat/forecast", { text: text() }).then(setForecast);
  };
  if (!forecast || forecast.tokens === 0) return { hint: undefined, ask };
  const { tokens, cachedTokens, cost } = forecast;
  const sent =
    cachedTokens > 0
      ? t("Send: about {0} tokens, {1} of them cached", shortCount(tokens), shortCount(cachedTokens))
      : t("Send: about {0} tokens", shortCount(tokens));
  return { hint: cost === undefined ? sent : t("{0}, about {1}", sent, dollars(cost)), ask };
}
