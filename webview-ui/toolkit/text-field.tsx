import "./elements/text-field.ts";
import { type TextProps, useTextElement } from "./elements/text-element.ts";

export type { TextHandle } from "./elements/text-element.ts";

export function TextField({ secret = false, ...props }: TextProps & { secret?: boolean }) {
  const element = useTextElement(props);
  const { label, disabled = false, placeholder, maxLength, change, onKeyDown } = props;
  return (
    <vscode-text-field
      ref={element}
      type={secret ? "password" : "text"}
      disabled={disabled}
      {...(placeholder === undefined ? {} : { placeholder })}
      {...(maxLength === undefined ? {} : { maxlength: maxLength })}
      onInput={(event) => change(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    >
      {label}
    </vscode-text-field>
  );
}
