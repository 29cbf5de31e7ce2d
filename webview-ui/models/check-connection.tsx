/** Finds out why the connection of the current model fails, and shows the buttons that correct it. */
import { useEffect } from "react";
import { nameParts } from "../../src/shared/models/connection.ts";
import type { ConnectionProblem } from "../../src/shared/models/connection-problem.ts";
import { connectionWorksText } from "../../src/shared/words/connection-words.ts";
import { useModel, usePanel } from "../panel.ts";
import { Button } from "../toolkit/button.tsx";
import { ConnectionProblemNote } from "./connection-problem.tsx";
import { useCheck } from "./use-check.ts";

export default function CheckConnection() {
  const { t, actions, store, composer, modelsShown } = usePanel();
  const { connection, model } = nameParts(useModel());
  const check = useCheck();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; the button in the row shows this component
  useEffect(() => check.run(connection, model), []);
  const again = () => actions.run("chat/retry", {});
  const apply = async (fix: NonNullable<ConnectionProblem["fix"]>) => {
    if (fix.type === "address") {
      await actions.ask("connections/set-address", { name: connection, baseUrl: fix.baseUrl });
      return again();
    }
    composer.focus();
    store.show("connections");
  };
  return (
    <div role="status" data-testid="check-result">
      {check.state === "checking" ? <p className="detail">{t("Checking…")}</p> : null}
      {check.state === "works" ? (
        <p className="good">{connectionWorksText(t, connection, check.count)}</p>
      ) : null}
      {check.state === "fails" ? (
        <ConnectionProblemNote of={connection} problem={check.problem} fix={(fix) => void apply(fix)}>
          {check.problem.field === "key" ? (
            <Button
              onPress={() => void actions.askAway("connections/set-key", { name: connection }).then(again)}
            >
              {t("Set API key")}
            </Button>
          ) : null}
          {check.problem.field === "model" ? (
            <Button onPress={() => modelsShown.fire()}>{t("Choose a model")}</Button>
          ) : null}
          {check.problem.field === "baseUrl" && !check.problem.fix ? (
            <Button
              onPress={() => {
                composer.focus();
                store.show("connections");
              }}
            >
              {t("Connections…")}
            </Button>
          ) : null}
        </ConnectionProblemNote>
      ) : null}
    </div>
  );
}
