/** The host's explanation of why the pending call requires approval. Requested when the user opens it. */
import { useEffect, useState } from "react";
import { type Danger, isDestroying } from "../../src/shared/danger.ts";
import type { Explanation, Remedy } from "../../src/shared/explanation.ts";
import type { Result } from "../../src/shared/protocol.ts";
import { explanationFacts, menuRemedyText, partFacts } from "../../src/shared/words/explanation-words.ts";
import { usePanel } from "../panel.ts";
import { CodeParts } from "../text/code-parts.tsx";
import { Visible } from "../text/visible.tsx";
import { Button } from "../toolkit/button.tsx";

interface WhyProps {
  callId: string;
  dangers: readonly Danger[] | undefined;
}

export default function WhyFacts({ callId, dangers = [] }: WhyProps) {
  const { t, actions } = usePanel();
  const [answer, setAnswer] = useState<Result<"chat/why">>();
  useEffect(
    () => void actions.ask("chat/why", { callId }).then((result) => setAnswer(result ?? {})),
    [actions, callId],
  );
  if (!answer) return <p aria-busy="true">{t("Loading the explanation…")}</p>;
  if (!answer.explanation) return <p>{t("No explanation is available.")}</p>;
  // How to let it run unasked is no advice for what destroys.
  const { remedy, examples, ...plain } = answer.explanation;
  const explanation: Explanation = isDestroying(dangers) ? plain : answer.explanation;
  const parts = partFacts(t, explanation);
  return (
    <>
      <dl className="why-facts">
        {explanationFacts(t, explanation, menuRemedyText).map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <CodeParts text={value} />
            </dd>
          </div>
        ))}
      </dl>
      {explanation.remedy ? <RemedyButton remedy={explanation.remedy} /> : null}
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

/** Opens where the user can choose that calls like this run without asking. */
function RemedyButton({ remedy: { settings, allow, undeny } }: { remedy: Remedy }) {
  const { t, actions, permissionShown } = usePanel();
  const list = allow.length > 0 ? "allow" : undeny.length > 0 ? "deny" : undefined;
  if (settings.length > 0)
    return (
      <Button testId="why-permissions" onPress={() => permissionShown.fire()}>
        {t("Permissions")}
      </Button>
    );
  return list === undefined ? null : (
    <Button
      testId="why-settings"
      onPress={() => actions.run("host/settings", { query: `nekode.commands.${list}` })}
    >
      {t("Open settings")}
    </Button>
  );
}
