/** The Send button, and Stop while the agent works. */

import { useState } from "react";
import type { Forecast } from "../../src/shared/models/window-contents.ts";
import { defaultChord } from "../keys/default-chord.ts";
import { usePanel, useView } from "../panel.ts";
import { dollars, shortCount } from "../text/numbers.ts";
import { IconButton } from "../toolkit/button.tsx";
import { Icon } from "../toolkit/icon.tsx";

interface ComposerButtonsProps {
  hasSomething: boolean;
  /** The text to send. */
  text(): string;
  submit(): void;
}

export function ComposerButtons({ hasSomething, text, submit }: ComposerButtonsProps) {
  const { t, actions } = usePanel();
  const { hint, ask } = useForecast(text);
  const busy = useView((view) => view.status !== "idle");
  return (
    <>
      {busy ? (
        <IconButton
          label={t("Stop")}
          hint={t("{0} (default shortcut: {1})", t("Stop"), defaultChord("."))}
          testId="stop"
          onPress={() => actions.run("chat/stop", {})}
        >
          <Icon name="stop" />
        </IconButton>
      ) : null}
      {busy && !hasSomething ? null : (
        <IconButton
          label={busy ? t("Queue") : t("Send")}
          testId="send"
          hint={busy ? undefined : hint}
          disabled={!hasSomething}
          onEnter={ask}
          onPress={submit}
        >
          <Icon name="send" />
        </IconButton>
      )}
    </>
  );
}

/** The tokens and cost of sending the message, for the tooltip of the Send button. `ask` requests them. */
function useForecast(text: () => string): { hint: string | undefined; ask(): void } {
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
