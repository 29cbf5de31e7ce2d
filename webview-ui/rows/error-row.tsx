import { useState } from "react";
import type { ErrorCode, ErrorView } from "../../src/shared/models/request-error.ts";
import type { Row } from "../../src/shared/view/reducer.ts";
import { errorDetail, errorText } from "../../src/shared/words/error-words.ts";
import { onDemand } from "../on-demand.tsx";
import { usePanel, useView } from "../panel.ts";
import { Button } from "../toolkit/button.tsx";
import { Icon } from "../toolkit/icon.tsx";
import { Disclosure } from "./disclosure.tsx";
import { isOpenEnd } from "./open-end.ts";

const CheckConnection = onDemand(() => import("../models/check-connection.tsx"));

/** Maximum characters of detail that are shown without a fold. */
const SHORT_DETAIL = 200;

/** Errors after which another model can be chosen, or a connection added. */
const CHOOSING: ReadonlySet<ErrorCode> = new Set([
  "no-endpoint",
  "no-model",
  "unknown-model",
  "context-length",
]);

/** Errors whose cause a check can find: a wrong address, encryption, or a server that is not running. */
const CHECKING: ReadonlySet<ErrorCode> = new Set([
  "bad-address",
  "wrong-address",
  "bad-response",
  "web-page",
  "wants-https",
  "wants-http",
  "key-of-another",
  "redirected",
  "unreachable",
  "untrusted-certificate",
  "bad-key",
]);

/** Condensing helps only if neither the instructions nor the newest message alone are too long. */
const isTooLong = ({ code, subject }: ErrorView) =>
  code === "context-length" && subject !== "instructions" && subject !== "message";

/** An error and the actions after it, which are available until the task continues. */
export function ErrorRow({ row }: { row: Extract<Row, { kind: "error" }> }) {
  const { t, actions, modelsShown } = usePanel();
  const [checking, setChecking] = useState(false);
  const open = useView((view) => isOpenEnd(view, row.id));
  const { text, action } = errorText(t, row.error);
  const condense = () => {
    actions.send("/compact").catch(() => {
      // The action reports the failure.
    });
  };
  const detail = errorDetail(row.error);
  return (
    <div className="error">
      <p className="error-text">
        <Icon name="warning" />
        <span>{text}</span>
      </p>
      {detail !== "" && detail.length <= SHORT_DETAIL ? <p className="detail">{detail}</p> : null}
      {detail.length > SHORT_DETAIL ? (
        <Disclosure id={row.id} summary={t("Details")}>
          <pre className="output">{detail}</pre>
        </Disclosure>
      ) : null}
      {open ? (
        <div className="buttons">
          {action === "set-key" ? (
            <Button kind="primary" onPress={() => actions.run("host/set-key", {})}>
              {t("Set API key")}
            </Button>
          ) : null}
          {CHECKING.has(row.error.code) ? (
            <Button
              kind={action === "set-key" ? "secondary" : "primary"}
              testId="check-connection"
              onPress={() => setChecking(true)}
            >
              {t("Check the connection")}
            </Button>
          ) : null}
          {action === "settings" && !CHOOSING.has(row.error.code) && !CHECKING.has(row.error.code) ? (
            <Button kind="primary" onPress={() => actions.run("host/settings", { query: "nekode.provider" })}>
              {t("Open settings")}
            </Button>
          ) : null}
          {CHOOSING.has(row.error.code) ? (
            <Button kind="primary" testId="choose-model" onPress={() => modelsShown.fire()}>
              {t("Choose a model")}
            </Button>
          ) : null}
          {isTooLong(row.error) ? (
            <Button testId="condense" onPress={condense}>
              {t("Condense the conversation")}
            </Button>
          ) : null}
          <Button
            kind={action === "retry" && !CHECKING.has(row.error.code) ? "primary" : "secondary"}
            testId="retry"
            onPress={() => actions.run("chat/retry", {})}
          >
            {t("Retry")}
          </Button>
        </div>
      ) : null}
      {open && checking ? <CheckConnection /> : null}
    </div>
  );
}
