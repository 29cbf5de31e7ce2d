/** Sets up a connection without leaving the panel: choose a provider or find a local server, enter a key, choose a model. */
import { useEffect, useRef, useState } from "react";
import {
  CONNECTION_PRESETS,
  type ConnectionPreset,
  presetOf,
} from "../../src/shared/models/connection-presets.ts";
import type { ModelEntry } from "../../src/shared/models/facts.ts";
import { usePanel } from "../panel.ts";
import { Button } from "../toolkit/button.tsx";
import { ModelList } from "./model-list.tsx";
import { type FormProps, SetUpForm } from "./set-up-form.tsx";
import { SetUpFound } from "./set-up-found.tsx";
import { useConnections } from "./use-check.ts";

type Step =
  | { at: "maker" }
  | { at: "form"; preset: ConnectionPreset; key: string }
  | { at: "found" }
  | { at: "model"; connection: string; models: readonly ModelEntry[] };

const MAKERS = CONNECTION_PRESETS.filter(({ port }) => port === undefined);

interface Props {
  /** No model is chosen yet: a model of an existing connection can be, too. */
  isFirst?: boolean;
  done(): void;
}

export default function SetUp({ isFirst = false, done }: Props) {
  const { t, actions, composer } = usePanel();
  const [step, setStep] = useState<Step>({ at: "maker" });
  const { known } = useConnections();
  const top = useRef<HTMLDivElement>(null);
  const isOpening = useRef(true);
  // In each step, its own field has the focus. In the first step, the field gets the focus only when the user returns to it.
  useEffect(() => {
    if (step.at === "maker" && !isOpening.current) top.current?.querySelector<HTMLElement>("button")?.focus();
    isOpening.current = false;
  }, [step]);

  const finish = () => {
    done();
    composer.focus();
  };
  const choose = async (name: string) => {
    if (await actions.ask("models/choose", { name, mode: "act" })) finish();
  };
  const chooseFrom = async (connection: string) => {
    const answer = await actions.ask("models/offered", { connection });
    if (answer) setStep({ at: "model", connection, models: answer.models });
  };
  const back = () => setStep({ at: "maker" });
  const form: Pick<FormProps, "other" | "added"> = {
    other: (preset, key) => setStep({ at: "form", preset: presetOf(preset), key }),
    added: (connection, models) => setStep({ at: "model", connection, models }),
  };
  return (
    <div className="set-up" data-testid="set-up" ref={top}>
      {step.at === "maker" ? (
        <>
          {isFirst ? <p>{t("To get started, choose where your model runs.")}</p> : null}
          {(isFirst ? (known?.connections ?? []) : []).map(({ name, title = name }) => (
            <button
              key={name}
              type="button"
              className="maker wide"
              data-testid="existing-connection"
              onClick={() => void chooseFrom(name)}
            >
              {t("Choose a model of {0}", title)}
            </button>
          ))}
          <button
            type="button"
            className="maker wide"
            data-testid="find-local"
            onClick={() => setStep({ at: "found" })}
          >
            <span>{t("Find a local server")}</span>
            <span className="detail">Ollama, LM Studio, llama.cpp, vLLM</span>
          </button>
          <div className="makers">
            {MAKERS.map((preset) => (
              <button
                key={preset.id}
                type="button"
                className="maker"
                data-testid={`maker-${preset.id}`}
                onClick={() => setStep({ at: "form", preset, key: "" })}
              >
                {preset.id === "other" ? t("Other…") : preset.title}
              </button>
            ))}
          </div>
        </>
      ) : null}
      {step.at === "form" ? (
        <SetUpForm key={step.preset.id} preset={step.preset} initialKey={step.key} back={back} {...form} />
      ) : null}
      {step.at === "found" ? (
        <SetUpFound
          back={back}
          other={() => setStep({ at: "form", preset: presetOf("other"), key: "" })}
          form={form}
          done={finish}
        />
      ) : null}
      {step.at === "model" ? (
        <>
          <h2>{t("Choose a model")}</h2>
          {step.models.length === 0 ? (
            <p className="detail">{t("The endpoint lists no models. Enter the name of one.")}</p>
          ) : null}
          <ModelList
            label={t("Model")}
            groups={[{ heading: step.connection, models: step.models, isConnection: true }]}
            current=""
            favorites={new Set()}
            typedAt={step.models.length === 0 ? [step.connection] : []}
            typedElse={[step.connection]}
            choose={(name) => void choose(name)}
          />
          <div className="buttons">
            <Button onPress={back}>{t("Back")}</Button>
          </div>
        </>
      ) : null}
    </div>
  );
}
