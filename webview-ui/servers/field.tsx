/** One field of a server's form. */
import { type ReactNode, useId } from "react";
import type { FieldProblem, TypedValue } from "../../src/shared/form-answer.ts";
import type { FormField } from "../../src/shared/server-form.ts";
import { usePanel } from "../panel.ts";
import { fieldProblemText } from "../text/form-problems.ts";
import { Visible } from "../text/visible.tsx";

interface Props {
  field: FormField;
  value: TypedValue | undefined;
  problem: FieldProblem | undefined;
  disabled: boolean;
  change(value: TypedValue): void;
}

/** Attributes of the field's control. */
interface Control {
  id: string;
  disabled: boolean;
  "aria-invalid": boolean;
  "aria-describedby": string;
  "aria-required": boolean;
}

export function Field({ field, value, problem, disabled, change }: Props) {
  const { t } = usePanel();
  const id = useId();
  const { title, description, required, kind } = field;
  const control: Control = {
    id,
    disabled,
    "aria-invalid": problem !== undefined,
    "aria-describedby": `${id}about ${id}problem`,
    "aria-required": required,
  };
  const name = (
    <>
      <Visible text={title} />
      {required ? <span aria-hidden="true"> *</span> : null}
    </>
  );
  const notes = (
    <>
      <div id={`${id}about`} className="detail">
        {description === undefined ? null : <Visible text={description} />}
      </div>
      <div id={`${id}problem`} className="bad" aria-live="polite">
        {problem === undefined ? null : fieldProblemText(t, problem)}
      </div>
    </>
  );
  switch (kind.type) {
    case "boolean":
      return (
        <Box>
          <label className="server-box" htmlFor={id}>
            <input
              {...omitRequired(control)}
              type="checkbox"
              checked={value === true}
              onChange={(event) => change(event.currentTarget.checked)}
            />
            <span>{name}</span>
          </label>
          {notes}
        </Box>
      );
    case "choices":
      return (
        <Box>
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset belongs to a form */}
          <div role="group" aria-labelledby={`${id}name`} aria-describedby={control["aria-describedby"]}>
            <span id={`${id}name`}>{name}</span>
            {kind.choices.map((choice) => (
              <label key={choice.value} className="server-box">
                <input
                  type="checkbox"
                  disabled={disabled}
                  checked={Array.isArray(value) && value.includes(choice.value)}
                  onChange={(event) => {
                    const others = (Array.isArray(value) ? value : []).filter(
                      (each) => each !== choice.value,
                    );
                    change(event.currentTarget.checked ? [...others, choice.value] : others);
                  }}
                />
                <span>
                  <Visible text={choice.title} />
                </span>
              </label>
            ))}
          </div>
          {notes}
        </Box>
      );
    case "choice":
      return (
        <Box>
          <label htmlFor={id}>{name}</label>
          <select
            {...control}
            className="text-field"
            value={typeof value === "string" ? value : ""}
            onChange={(event) => change(event.currentTarget.value)}
          >
            <option value="">{t("Choose…")}</option>
            {kind.choices.map((choice) => (
              <option key={choice.value} value={choice.value}>
                {choice.title}
              </option>
            ))}
          </select>
          {notes}
        </Box>
      );
    default:
      return (
        <Box>
          <label htmlFor={id}>{name}</label>
          <input
            {...control}
            className="text-field"
            type={kind.type === "text" && kind.format === "date" ? "date" : "text"}
            inputMode={kind.type === "number" ? "decimal" : kind.format === "email" ? "email" : "text"}
            value={typeof value === "string" ? value : ""}
            onChange={(event) => change(event.currentTarget.value)}
          />
          {notes}
        </Box>
      );
  }
}

/** A checkbox has no state of being required. */
function omitRequired({ "aria-required": _, ...control }: Control): Omit<Control, "aria-required"> {
  return control;
}

function Box({ children }: { children: ReactNode }) {
  return <div className="server-field">{children}</div>;
}
