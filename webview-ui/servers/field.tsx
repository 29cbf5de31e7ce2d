/** One field of a server's form. */
import { type ReactNode, useId } from "react";
import type { FieldProblem, TypedValue } from "../../src/shared/form-answer.ts";
import type { FormField } from "../../src/shared/server-form.ts";
import { usePanel } from "../panel.ts";
import { fieldProblemText } from "../text/form-problems.ts";
import { Visible } from "../text/visible.tsx";
import { Checkbox } from "../toolkit/checkbox.tsx";
import { Dropdown } from "../toolkit/dropdown.tsx";
import { PlainField } from "../toolkit/plain-field.tsx";

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
  const notes = <Notes id={id} description={description} problem={problem} />;
  switch (kind.type) {
    case "boolean":
      return (
        <Box>
          <Checkbox name={title} disabled={disabled} on={value === true} change={change}>
            {name}
          </Checkbox>
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
              <Checkbox
                key={choice.value}
                name={choice.title}
                disabled={disabled}
                on={Array.isArray(value) && value.includes(choice.value)}
                change={(on) => {
                  const others = (Array.isArray(value) ? value : []).filter((each) => each !== choice.value);
                  change(on ? [...others, choice.value] : others);
                }}
              >
                <Visible text={choice.title} />
              </Checkbox>
            ))}
          </div>
          {notes}
        </Box>
      );
    case "choice":
      return (
        <Box>
          <label htmlFor={id}>{name}</label>
          <Dropdown
            id={id}
            disabled={disabled}
            invalid={problem !== undefined}
            required={required}
            describedBy={control["aria-describedby"]}
            value={typeof value === "string" ? value : ""}
            options={[
              { value: "", text: t("Choose…") },
              ...kind.choices.map((choice) => ({ value: choice.value, text: choice.title })),
            ]}
            change={change}
          />
          {notes}
        </Box>
      );
    case "number":
    case "text":
      return (
        <Box>
          <label htmlFor={id}>{name}</label>
          <PlainField
            {...control}
            type={kind.type === "text" && kind.format === "date" ? "date" : "text"}
            inputMode={kind.type === "number" ? "decimal" : kind.format === "email" ? "email" : "text"}
            value={typeof value === "string" ? value : ""}
            change={change}
          />
          {notes}
        </Box>
      );
  }
}

/** The description of a field and what is wrong with its value; the field's control refers to both by their ids. */
function Notes({
  id,
  description,
  problem,
}: Pick<Props, "problem"> & { id: string; description: string | undefined }) {
  const { t } = usePanel();
  return (
    <>
      <div id={`${id}about`} className="detail">
        {description === undefined ? null : <Visible text={description} />}
      </div>
      <div id={`${id}problem`} className="bad" aria-live="polite">
        {problem === undefined ? null : fieldProblemText(t, problem)}
      </div>
    </>
  );
}

function Box({ children }: { children: ReactNode }) {
  return <div className="server-field">{children}</div>;
}
