/** Exactly what happens if the user approves. Nothing is shortened or invisible. */
import { lazy, Suspense } from "react";
import type { ApprovalView } from "../../../src/shared/event.ts";
import { notKeptText } from "../../../src/shared/words/checkpoint-words.ts";
import { reasonText } from "../../../src/shared/words/reasons/reasons.ts";
import { usePanel } from "../../panel.ts";
import { ChangedFiles } from "./changed-files.tsx";
import { Fact } from "./fact.tsx";

const ServerCall = lazy(() => import("../../approval/server-call.tsx"));

export function ApprovalFacts({ approval }: { approval: ApprovalView }) {
  const { t } = usePanel();
  const { realPath, cwd, url, server, files = [], notKept = [] } = approval;
  const reason = reasonText(t, approval.reason);
  return (
    <>
      {files.length > 0 ? <ChangedFiles files={files} /> : null}
      {server ? (
        <Suspense fallback={null}>
          <ServerCall id={`row ${approval.callId}`} server={server} />
        </Suspense>
      ) : null}
      <dl className="facts">
        {url ? <Fact name="URL" value={url} /> : null}
        {cwd ? <Fact name={t("Folder")} value={cwd} /> : null}
        {realPath && realPath !== approval.path ? <Fact name={t("Resolves to")} value={realPath} /> : null}
        {notKept.map((each) => (
          <Fact key={each.why} name={t("Cannot be undone")} value={notKeptText(t, each)} />
        ))}
        {reason === "" ? null : <Fact name={t("Reason")} value={reason} />}
      </dl>
    </>
  );
}
