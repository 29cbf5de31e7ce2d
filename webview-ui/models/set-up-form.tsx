/** The fields of a new connection: its key, and its address where that is not known. */
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { apiKindSchema, type EndpointApi } from "../../src/shared/models/connection.ts";
import type { ConnectionPreset } from "../../src/shared/models/connection-presets.ts";
import type { ConnectionProblem } from "../../src/shared/models/connection-problem.ts";
import type { ModelEntry } from "../../src/shared/models/facts.ts";
import type { PresetId } from "../../src/shared/models/preset-ids.ts";
import { usePanel } from "../panel.ts";
import { Button } from "../toolkit/button.tsx";
import { ConnectionProblemNote } from "./connection-problem.tsx";

/** The names that the makers gave them. */
const APIS: Readonly<Record<EndpointApi, string>> = {
  chat: "Chat Completions (OpenAI)",
  responses: "Responses (OpenAI)",
  anthropic: "Messages (Anthropic)",
};

interface Props {
  preset: ConnectionPreset;
  initialKey: string;
  back(): void;
  /** The key is another maker's. */
  other(preset: PresetId, key: string): void;
  added(connection: string, models: readonly ModelEntry[]): void;
}

export function SetUpForm({ preset, initialKey, back, other, added }: Props) {
  const { t, actions } = usePanel();
  const [baseUrl, setBaseUrl] = useState(preset.baseUrl);
  const [api, setApi] = useState(preset.api);
  const [key, setKey] = useState(initialKey);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ConnectionProblem | null>(null);
  const address = useRef<HTMLInputElement>(null);
  const secret = useRef<HTMLInputElement>(null);
  const ids = useId();
  const isOther = preset.id === "other";
  const showsAddress = isOther || preset.placeholder !== undefined || problem?.field === "baseUrl";
  const first = isOther || preset.placeholder !== undefined ? address : secret;
  useEffect(() => first.current?.focus(), [first]);

  const add = async (change: { baseUrl?: string; unlisted?: boolean } = {}) => {
    setBusy(true);
    const answer = await actions.ask("connections/add", {
      ...{ preset: preset.id, api, baseUrl, key },
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
  const title = isOther ? t("Other endpoint") : preset.title;
  const wrong = (field: ConnectionProblem["field"]) =>
    problem?.field === field ? { "aria-invalid": true, "aria-describedby": `${ids}problem` } : {};
  return (
    <form className="set-up-form" aria-label={title} data-testid="set-up-form" onSubmit={submit}>
      <h2>{title}</h2>
      {showsAddress ? (
        <>
          <label htmlFor={`${ids}address`}>{t("Base URL")}</label>
          <input
            ref={address}
            id={`${ids}address`}
            className="text-field"
            data-testid="set-up-address"
            value={baseUrl}
            placeholder="https://example.com/v1"
            autoComplete="off"
            spellCheck={false}
            {...wrong("baseUrl")}
            onChange={(event) => setBaseUrl(event.target.value)}
          />
        </>
      ) : null}
      {isOther ? (
        <>
          <label htmlFor={`${ids}api`}>{t("API")}</label>
          <select
            id={`${ids}api`}
            className="text-field"
            data-testid="set-up-api"
            value={api}
            onChange={(event) => {
              const { data } = apiKindSchema.safeParse(event.target.value);
              if (data) setApi(data);
            }}
          >
            {Object.entries(APIS).map(([kind, name]) => (
              <option key={kind} value={kind}>
                {name}
              </option>
            ))}
          </select>
        </>
      ) : null}
      <label htmlFor={`${ids}key`}>{preset.needsKey ? t("API key") : t("API key (if it needs one)")}</label>
      <input
        ref={secret}
        id={`${ids}key`}
        className="text-field"
        data-testid="set-up-key"
        type="password"
        value={key}
        autoComplete="off"
        spellCheck={false}
        {...wrong("key")}
        onChange={(event) => setKey(event.target.value)}
      />
      <p className="detail">{t("Kept in VS Code's secret storage, and sent to this endpoint only.")}</p>
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
