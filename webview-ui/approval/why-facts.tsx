/** The host's explanation of why the pending call requires approval. Requested when the user opens it. */
import { useEffect, useState } from "react";
import type { Result } from "../../src/shared/protocol.ts";
import { explanationFacts, partFacts } from "../../src/shared/words/explanation-words.ts";
import { usePanel } from "../panel.ts";
import { CodeParts } from "../text/code-parts.tsx";
import { Visible } from "../text/visible.tsx";

export default function WhyFacts({ callId }: { callId: string }) {
  const { t, actions } = usePanel();
  const [answer, setAnswer] = useState<Result<"chat/why">>();
  useEffect(
    () => void actions.ask("chat/why", { callId }).then((result) => setAnswer(result ?? {})),
    [actions, callId],
  );
  if (!answer) return <p aria-busy="true">{t("Loading the explanation…")}</p>;
  const { explanation } = answer;
  if (!explanation) return <p>{t("No explanation is available.")}</p>;
  const parts = partFacts(t, explanation);
  return (
    <>
      <dl className="why-facts">
        {explanationFacts(t, explanation).map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <CodeParts text={value} />
            </dd>
          </div>
        ))}
      </dl>
      {parts.length > 0 ? (
        <ul className="why-parts" aria-label={t("Result for each command")}>
          {parts.map(({ name, value, verdict }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one command keep their order
            <li key={index} data-verdict={verdict}>
              <code>
                <Visible text={name} />
              </code>{" "}
              <span>
                <CodeParts text={value} />
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}
