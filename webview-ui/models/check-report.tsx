/** The result of checking a model: the verdict, its consequences, and each finding. */
import { useState } from "react";
import type { CheckReport, Finding } from "../../src/shared/models/check.ts";
import {
  checkVerdictText,
  consequences,
  findingText,
  probeTitle,
} from "../../src/shared/words/check-words.ts";
import { usePanel } from "../panel.ts";
import { Visible } from "../text/visible.tsx";
import { Button } from "../toolkit/button.tsx";

/** About how many tokens a check uses at most. */
const TOKENS = 16_000;
const MARKS: Readonly<Record<Finding["state"], string>> = {
  good: "✓",
  fault: "✗",
  absent: "–",
  skipped: "·",
};

/** The button that starts the check, and its result. */
export function ModelCheck({ name, checked }: { name: string; checked(): void }) {
  const { t, actions } = usePanel();
  const [busy, setBusy] = useState(false);
  const [report, setReport] = useState<CheckReport | null>(null);
  const run = async () => {
    setBusy(true);
    const answer = await actions.ask("models/check", { name });
    setBusy(false);
    if (!answer) return;
    setReport(answer);
    checked();
  };
  if (report) return <Report report={report} />;
  return (
    <>
      <p className="detail">
        {busy
          ? t("Checking {0}. This can take a few minutes.", name)
          : t(
              "A check of what the model can do uses at most about {0} tokens.",
              TOKENS.toLocaleString("en-US"),
            )}
      </p>
      <div className="buttons">
        <Button testId="check-abilities" disabled={busy} onPress={() => void run()}>
          {busy ? t("Checking…") : t("Check this model")}
        </Button>
      </div>
    </>
  );
}

function Report({ report }: { report: CheckReport }) {
  const { t } = usePanel();
  const findings = report.findings.filter(({ state }) => state !== "skipped");
  return (
    <div data-testid="check-report">
      <p className={report.verdict === "unusable" ? "bad" : undefined}>
        {[checkVerdictText(t, report.verdict), ...consequences(t, report)].join(" ")}
      </p>
      <ul className="check-findings">
        {findings.map((finding) => (
          <li key={finding.probe} className={finding.state === "fault" ? "bad" : undefined}>
            <span aria-hidden="true">{MARKS[finding.state]} </span>
            <Visible text={t("{0}: {1}", probeTitle(t, finding.probe), findingText(t, finding))} />
          </li>
        ))}
      </ul>
    </div>
  );
}
