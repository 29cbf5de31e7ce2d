/** A question of an MCP server in the row of its call: a form, or an address to visit. Only the buttons send an answer. */
import { useId, useRef, useState } from "react";
import {
  type FieldProblem,
  formProblems,
  initialValue,
  sentValues,
  type TypedValue,
} from "../../src/shared/form-answer.ts";
import type { ServerForm as Form, FormAnswer, FormField } from "../../src/shared/server-form.ts";
import { usePanel } from "../panel.ts";
import { Visible } from "../text/visible.tsx";
import { Button } from "../toolkit/button.tsx";
import { Address, Refusals } from "./address.tsx";
import { Field } from "./field.tsx";

export default function ServerFormCard({ form }: { form: Form }) {
  const { t, actions, composer } = usePanel();
  const [answered, setAnswered] = useState(false);
  const section = useRef<HTMLElement>(null);
  const title = useId();

  const answer = async (reply: FormAnswer) => {
    if (answered) return;
    setAnswered(true);
    // The pressed button is about to disappear.
    if (section.current?.contains(document.activeElement)) composer.focus();
    const result = await actions.ask("chat/answer-form", { id: form.id, answer: reply });
    // The host did not accept the answer: if the question still waits, the buttons stay.
    if (!result?.accepted) setAnswered(false);
  };

  return (
    <section ref={section} className="server-form" aria-labelledby={title} data-testid="server-question">
      <p id={title}>
        <strong>
          <Visible text={t("{0} asks you:", form.server)} />
        </strong>
      </p>
      <p className="server-text">
        <Visible text={form.message} />
      </p>
      {form.ask.type === "fields" ? (
        <Fields server={form.server} fields={form.ask.fields} disabled={answered} answer={answer} />
      ) : (
        <Address url={form.ask.url} disabled={answered} answer={answer} />
      )}
    </section>
  );
}

interface FieldsProps {
  server: string;
  fields: readonly FormField[];
  disabled: boolean;
  answer(reply: FormAnswer): Promise<void>;
}

function Fields({ server, fields, disabled, answer }: FieldsProps) {
  const { t } = usePanel();
  const [typed, setTyped] = useState<Record<string, TypedValue | undefined>>(() =>
    Object.fromEntries(fields.map((field) => [field.name, initialValue(field)])),
  );
  const [problems, setProblems] = useState<Record<string, FieldProblem>>({});
  const body = useRef<HTMLDivElement>(null);

  const change = (name: string, value: TypedValue) => {
    const next = { ...typed, [name]: value };
    setTyped(next);
    // A message disappears as soon as it no longer applies; new ones appear on Submit.
    const now = formProblems(fields, sentValues(fields, next));
    setProblems(Object.fromEntries(Object.entries(problems).filter(([key]) => Object.hasOwn(now, key))));
  };
  const submit = () => {
    const values = sentValues(fields, typed);
    const nextProblems = formProblems(fields, values);
    setProblems(nextProblems);
    const first = fields.findIndex(({ name }) => Object.hasOwn(nextProblems, name));
    if (first < 0) void answer({ action: "accept", values });
    else body.current?.children[first]?.querySelector<HTMLElement>("input, select, textarea")?.focus();
  };
  return (
    <>
      <div className="server-fields" ref={body}>
        {fields.map((field) => (
          <Field
            key={field.name}
            field={field}
            value={typed[field.name]}
            problem={Object.hasOwn(problems, field.name) ? problems[field.name] : undefined}
            disabled={disabled}
            change={(value) => change(field.name, value)}
          />
        ))}
      </div>
      <p className="detail">
        {t("Your answer is sent to the server {0}. Do not enter passwords or keys.", server)}
      </p>
      <div className="buttons">
        <Button kind="primary" testId="form-submit" disabled={disabled} onPress={submit}>
          {t("Submit")}
        </Button>
        <Refusals disabled={disabled} answer={answer} />
      </div>
    </>
  );
}
