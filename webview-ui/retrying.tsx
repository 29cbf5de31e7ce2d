/** A failed request that will be retried. A chunk of its own, with the words for what failed. */
import { retryText } from "../src/shared/words/error-words.ts";
import { usePanel, useView } from "./panel.ts";
import { StatusText, useNow } from "./status-parts.tsx";
import { Visible } from "./text/visible.tsx";
import { Button } from "./toolkit/button.tsx";

export default function Retrying() {
  const { t, actions } = usePanel();
  const retry = useView((view) => view.retry);
  const now = useNow();
  if (!retry) return null;
  /** The endpoint's own words, such as which limit was reached. */
  const { detail } = retry.error;
  const seconds = Math.ceil((Date.parse(retry.at) - now) / 1_000);
  return (
    <StatusText text={retryText(t, retry, seconds)}>
      {detail === undefined || detail === "" ? null : (
        <span className="status-detail" title={detail}>
          <Visible text={detail} />
        </span>
      )}
      <span className="buttons">
        <Button onPress={() => actions.run("chat/retry", {})}>{t("Retry now")}</Button>
        <Button onPress={() => actions.run("chat/stop", {})}>{t("Cancel")}</Button>
      </span>
    </StatusText>
  );
}
