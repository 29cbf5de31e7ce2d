/** A failed request that will be retried. A chunk of its own, with the words for what failed. */
import { retryText } from "../src/shared/words/error-words.ts";
import { usePanel, useView } from "./panel.ts";
import { StatusText, useNow } from "./status-parts.tsx";
import { Button } from "./toolkit/button.tsx";

export default function Retrying() {
  const { t, actions } = usePanel();
  const retry = useView((view) => view.retry);
  const now = useNow();
  if (!retry) return null;
  const seconds = Math.ceil((Date.parse(retry.at) - now) / 1_000);
  return (
    <StatusText text={retryText(t, retry, seconds)}>
      <Button onPress={() => actions.run("chat/retry", {})}>{t("Retry now")}</Button>
      <Button onPress={() => actions.run("chat/stop", {})}>{t("Cancel")}</Button>
    </StatusText>
  );
}
