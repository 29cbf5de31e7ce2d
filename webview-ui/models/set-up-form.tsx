/** The fields of a new connection: its key, and its address where that is not known. */
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { apiKindSchema, type EndpointApi } from "../../src/shared/models/connection.ts";
import type { ConnectionPreset } from "../../src/shared/models/connection-presets.ts";
import type { ConnectionProblem } from "../../src/shared/models/connection-problem.ts";
import type { ModelEntry } from "../../src/shared/models/facts.ts";
import type { PresetId } from "../../src/shared/models/preset-ids.ts";
import { connectionProblemText } from "../../src/shared/words/connection-words.ts";
import { usePanel } from "../panel.ts";
import { Button } from "../toolkit/button.tsx";
import { Dropdown } from "../toolkit/dropdown.tsx";
import { TextField, type TextHandle } from "../toolkit/text-field.tsx";
import { ConnectionProblemNote } from "./connection-problem.tsx";

/** Names that the providers use for them. */
const APIS: Readonly<Record<EndpointApi, string>> = {
  chat: "Chat Completions (OpenAI)",
  responses: "Responses (OpenAI)",
  anthropic: "Messages (Anthropic)",
};

export interface FormProps {
  preset: ConnectionPreset;
  initialKey: string;
  back(): void;
  /** The key belongs to another provider. */
  other(preset: PresetId, key: string): void;
  added(connection: string, models: readonly ModelEntry[]): void;
}

export function SetUpForm({ preset, initialKey, back, other, added }: FormProps) {
  const { t, actions } = usePanel();
  const [baseUrl, setBaseUrl] = useState(preset.baseUrl);
  const [api, setApi] = useState(preset.api);
  const [key, setKey] = useState(initialKey);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ConnectionProblem | null>(null);
  const address = useRef<TextHandle>(null);
  const secret = useRef<TextHandle>(null);
  const ids = useId();
  const isOther = preset.id === "other";
  const showsAddress = isOther || preset.placeholder !== undefined || problem?.field === "baseUrl";
  const first = isOther || preset.placeholder !== undefined ? address : secret;
  useEffect(() => first.current?.focus(), [first]);

  const add = async (change: { baseUrl?: string; unlisted?: boolean } = {}) => {
    setBusy(true);
    const answer = await actions.ask("connections/add", {
      preset: preset.id,
      api,
      baseUrl,
      key,
      ...change,
    });
    setBusy(false);
    setProblem(answer?.problem ?? null);
    if (answer?.name !== undefined) added(answer.name, answer.models);
    else if (answer?.problem?.field === "key") secret.current?.select();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy) void add();
  };
  const addressHint = t("The address of the server. For most servers, it ends in /v1.");
  const title = isOther ? t("Other endpoint") : preset.title;
  const wrong = (field: ConnectionProblem["field"]) =>
    problem?.field === field ? { invalid: true, description: connectionProblemText(t, problem) } : {};
  return (
    <form className="set-up-form" aria-label={title} data-testid="set-up-form" onSubmit={submit}>
      <h2>{title}</h2>
      {showsAddress ? (
        <TextField
          handle={address}
          testId="set-up-address"
          label={t("Base URL")}
          value={baseUrl}
          placeholder="https://example.com/v1"
          description={isOther ? addressHint : undefined}
          {...wrong("baseUrl")}
          change={setBaseUrl}
        />
      ) : null}
      {isOther ? (
        <>
          <p className="detail" aria-hidden="true">
            {addressHint}
          </p>
          <label htmlFor={`${ids}api`}>{t("API")}</label>
          <Dropdown<EndpointApi>
            id={`${ids}api`}
            testId="set-up-api"
            value={api}
            options={apiKindSchema.options.map((kind) => ({ value: kind, text: APIS[kind] }))}
            change={setApi}
          />
          <p className="detail">
            {t("The kind of requests that the server understands. Most understand the first one.")}
          </p>
        </>
      ) : null}
      <TextField
        handle={secret}
        secret={true}
        testId="set-up-key"
        label={preset.needsKey ? t("API key") : t("API key (if it needs one)")}
        value={key}
        {...wrong("key")}
        change={setKey}
      />
      <p className="detail">{t("Stored in VS Code's secret storage and sent only to this endpoint.")}</p>
      <div id={`${ids}problem`} role="alert">
        {problem ? (
          <ConnectionProblemNote
            problem={problem}
            fix={(fix) => {
              if (fix.type === "preset") return other(fix.preset, key);
              setBaseUrl(fix.baseUrl);
              void add({ baseUrl: fix.baseUrl });
            }}
          >
            {problem.code === "no-list" ? (
              <Button testId="unlisted" onPress={() => void add({ unlisted: true })}>
                {t("Enter the model")}
              </Button>
            ) : null}
          </ConnectionProblemNote>
        ) : null}
      </div>
      {/* Enter in a field submits a form of several fields only if it has such a button. */}
      <button type="submit" hidden={true} />
      <div className="buttons">
        <Button
          kind={problem?.fix ? "secondary" : "primary"}
          testId="set-up-continue"
          disabled={busy}
          onPress={() => void add()}
        >
          {busy ? t("Connecting…") : t("Continue")}
        </Button>
        {preset.keyPage === undefined ? null : (
          <Button onPress={() => actions.run("host/open-link", { url: preset.keyPage ?? "" })}>
            {t("Create a key")}
          </Button>
        )}
        <Button onPress={back}>{t("Back")}</Button>
      </div>
    </form>
  );
}
