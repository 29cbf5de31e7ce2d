/** Exactly what happens if the user approves. Nothing is shortened or invisible. */

import type { ApprovalView } from "../../../src/shared/event.ts";
import { coverageTexts, encodingTexts } from "../../../src/shared/words/approval-words.ts";
import { notKeptText } from "../../../src/shared/words/checkpoint-words.ts";
import { reasonText } from "../../../src/shared/words/reasons/reasons.ts";
import { approvedPlaceText } from "../../../src/shared/words/sandbox-words.ts";
import { ServerCallDetails } from "../../approval/server-call.tsx";
import { usePanel } from "../../panel.ts";
import { ChangedFiles } from "./changes.tsx";
import { FactItem } from "./fact.tsx";

interface Props {
  approval: ApprovalView;
  /** What is shown of the call already. */
  subject?: string;
  /** The files are shown already. */
  showsFiles?: boolean;
}

export function ApprovalFacts({ approval, subject, showsFiles = false }: Props) {
  const { t } = usePanel();
  const { realPath, cwd, url, server, files = [], notKept = [] } = approval;
  const reason = reasonText(t, approval.reason);
  const facts: [name: string, value: string][] = [
    ...pair("URL", url === subject ? undefined : url),
    // The user knows the folder of the task that they see, but not that of another one.
    ...pair(t("Folder"), approval.isOwnFolder && !approval.task ? undefined : cwd),
    ...pair(t("Resolves to"), realPath === approval.path ? undefined : realPath),
    ...encodingTexts(t, approval).map((each): [string, string] => [t("Encoding"), each]),
    ...notKept.map((each): [string, string] => [t("Cannot be undone"), notKeptText(t, each)]),
    ...coverageTexts(t, approval).map((each): [string, string] => [t("Files"), each]),
    ...pair(t("Reason"), reason),
  ];
  const place = approvedPlaceText(t, approval);
  return (
    <>
      {place === undefined ? null : (
        <p className="detail" data-testid="place">
          {place}
        </p>
      )}
      {files.length > 0 && !showsFiles ? <ChangedFiles files={files} /> : null}
      {server ? <ServerCallDetails id={`row ${approval.callId}`} server={server} /> : null}
      {facts.length === 0 ? null : (
        <dl className="facts">
          {facts.map(([name, value]) => (
            <FactItem key={`${name} ${value}`} name={name} value={value} />
          ))}
        </dl>
      )}
    </>
  );
}

function pair(name: string, value: string | undefined): [name: string, value: string][] {
  return value ? [[name, value]] : [];
}
