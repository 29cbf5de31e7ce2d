/** Whether the parts that a task needs work, each with the screen that helps, and what was measured in this window. */
import { useCallback, useEffect, useState } from "react";
import { type HealthCheck, type HealthReport, healthReportSchema } from "../../src/shared/health-report.ts";
import { usePanel } from "../panel.ts";
import type { ScreenName } from "../store.ts";
import styles from "../styles/health.css?text";
import { Visible } from "../text/visible.tsx";
import { adoptStyles } from "../toolkit/adopt.ts";
import { Button } from "../toolkit/button.tsx";
import { Icon } from "../toolkit/icon.tsx";
import { ScreenFrame } from "./screen.tsx";

adoptStyles(styles);

/** The screen on which the user changes what was checked. */
const HELPS: Partial<Record<HealthCheck["id"], ScreenName>> = {
  model: "connections",
  connection: "connections",
  servers: "servers",
};

export default function HealthScreen() {
  const { t } = usePanel();
  const { report, check } = useReport();
  return (
    <ScreenFrame title={t("Performance and checks")}>
      <div className="health" data-testid="health" aria-busy={report === null}>
        {report === null ? (
          <p className="detail" role="status">
            {t("Checking…")}
          </p>
        ) : (
          <>
            <ul className="health-checks">
              {report.checks.map((each) => (
                <Check key={each.id} check={each} />
              ))}
            </ul>
            <Button testId="check-again" onPress={check}>
              {t("Check again")}
            </Button>
            <h3>{t("Performance")}</h3>
            <p className="detail">
              {t(
                "Measured in this window for {0} minutes. Task figures are for the active session.",
                report.minutes,
              )}
            </p>
            <Measurements report={report} />
          </>
        )}
      </div>
    </ScreenFrame>
  );
}

function useReport(): { report: HealthReport | null; check(): void } {
  const { actions } = usePanel();
  const [report, setReport] = useState<HealthReport | null>(null);
  const check = useCallback(() => {
    setReport(null);
    void actions.ask("health/ask", { ask: null }).then((answer) => {
      if (answer) setReport(healthReportSchema.parse(answer.list));
    });
  }, [actions]);
  useEffect(check, [check]);
  return { report, check };
}

const ICONS = { good: "check", problem: "warning", missing: "question" } as const;

function Check({ check: { id, state, title, text } }: { check: HealthCheck }) {
  const { t, store } = usePanel();
  const screen = state === "problem" ? HELPS[id] : undefined;
  const words = { good: t("Works"), problem: t("Problem"), missing: t("Optional") }[state];
  return (
    <li data-testid="health-check" data-state={state}>
      <Icon name={ICONS[state]} />
      <span className="only-heard">{words}: </span>
      <span className="health-text">
        <strong>{title}</strong>{" "}
        <span>
          <Visible text={text} />
        </span>
      </span>
      {screen === undefined ? null : (
        <Button label={t("Open: {0}", title)} onPress={() => store.show(screen)}>
          {t("Open")}
        </Button>
      )}
    </li>
  );
}

function Measurements({ report }: { report: HealthReport }) {
  const { t } = usePanel();
  return (
    <table className="health-table">
      <thead>
        <tr>
          <th scope="col">{t("Measurement")}</th>
          <th scope="col">{t("Now")}</th>
          <th scope="col">{t("Budget")}</th>
        </tr>
      </thead>
      <tbody>
        {report.measurements.map(({ name, now, budget }) => (
          <tr key={name} data-testid="measurement">
            <th scope="row">{name}</th>
            <td>{now}</td>
            <td>{budget}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
