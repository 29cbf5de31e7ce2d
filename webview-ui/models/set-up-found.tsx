/** The model servers that run on this machine. A server with one model is ready without a further choice. */
import { useCallback, useEffect, useState } from "react";
import { CONNECTION_PRESETS, presetOf } from "../../src/shared/models/connection-presets.ts";
import type { ConnectionProblem } from "../../src/shared/models/connection-problem.ts";
import type { FoundServer } from "../../src/shared/models/model-protocol.ts";
import { usePanel } from "../panel.ts";
import { Button } from "../toolkit/button.tsx";
import { ConnectionProblemNote } from "./connection-problem.tsx";
import { ModelList } from "./model-list.tsx";
import { type FormProps, SetUpForm } from "./set-up-form.tsx";

/** Where the usual servers are looked for. */
const PORTS = CONNECTION_PRESETS.flatMap(({ title, port }) =>
  port === undefined ? [] : [`${title} ${port}`],
);

interface Props {
  back(): void;
  /** The user enters the address of another server. */
  other(): void;
  /** The address, where no server answers, and the key are those of another kind of connection, or connect. */
  form: Pick<FormProps, "other" | "added">;
  done(): void;
}

export function SetUpFound({ back, other, form, done }: Props) {
  const { t, actions } = usePanel();
  const [servers, setServers] = useState<readonly FoundServer[] | null>(null);
  const [problem, setProblem] = useState<ConnectionProblem | null>(null);

  const use = useCallback(
    async ({ preset, baseUrl }: FoundServer, model: string) => {
      const { api } = presetOf(preset);
      const answer = await actions.ask("connections/add", { preset, api, baseUrl, model });
      if (answer?.problem) setProblem(answer.problem);
      else if (answer) done();
    },
    [actions, done],
  );
  const find = useCallback(async () => {
    setServers(null);
    setProblem(null);
    const { servers: running = [] } = (await actions.ask("connections/find", {})) ?? {};
    const [server] = running;
    const model = server?.models[0];
    const isOnly = running.length === 1 && server?.models.length === 1;
    if (isOnly && server && model !== undefined) await use(server, model);
    else setServers(running);
  }, [actions, use]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; pressing the button again asks again
  useEffect(() => void find(), []);

  const withModels = (servers ?? []).filter(({ models }) => models.length > 0);
  const empty = (servers ?? []).filter(({ models }) => models.length === 0);
  const choose = (name: string) => {
    const server = withModels.find(({ preset }) => name.startsWith(`${preset}/`));
    if (server) void use(server, name.slice(server.preset.length + 1));
  };
  return (
    <>
      <h2>{t("Local servers")}</h2>
      <div role="status">
        {servers === null && !problem ? <p>{t("Looking for servers on this computer…")}</p> : null}
        {servers?.length === 0 ? (
          <p>
            {t(
              "No local model server is running. Start Ollama, LM Studio, llama.cpp or vLLM, then try again.",
            )}
          </p>
        ) : null}
        {servers?.length === 0 ? (
          <p className="detail">{t("Looked at these ports of this computer: {0}", PORTS.join(", "))}</p>
        ) : null}
        {empty.map(({ preset }) => (
          <p key={preset}>
            {preset === "ollama"
              ? t("Ollama has no models yet. Install one with “ollama pull”, then try again.")
              : t("{0} has no models. Load one, then try again.", presetOf(preset).title)}
          </p>
        ))}
      </div>
      {withModels.length > 0 ? (
        <ModelList
          label={t("Model")}
          groups={withModels.map(({ preset, models }) => ({
            heading: presetOf(preset).title,
            isConnection: true,
            models: models.map((id) => ({ name: `${preset}/${id}`, facts: {} })),
          }))}
          current=""
          favorites={new Set()}
          typedAt={[]}
          choose={choose}
        />
      ) : null}
      {problem ? <ConnectionProblemNote problem={problem} fix={back} /> : null}
      {servers?.length === 0 ? (
        <>
          <div className="buttons">
            <Button testId="find-again" onPress={() => void find()}>
              {t("Try again")}
            </Button>
          </div>
          <SetUpForm preset={presetOf("other")} initialKey="" back={back} {...form} />
        </>
      ) : (
        <div className="buttons">
          {servers === null ? null : (
            <>
              <Button testId="find-again" onPress={() => void find()}>
                {t("Try again")}
              </Button>
              <Button testId="enter-address" onPress={other}>
                {t("Enter an address…")}
              </Button>
            </>
          )}
          <Button onPress={back}>{t("Back")}</Button>
        </div>
      )}
    </>
  );
}
