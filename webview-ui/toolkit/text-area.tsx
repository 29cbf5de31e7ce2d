import "./elements/text-area.ts";
import { type TextProps, useTextElement } from "./elements/text-element.ts";

export type { TextHandle } from "./elements/text-element.ts";

export function TextArea({ rows = 4, ...props }: TextProps & { rows?: number }) {
  const element = useTextElement(props);
  const { label, disabled = false, placeholder, maxLength, change, onKeyDown } = props;
  return (
    <vscode-text-area
      ref={element}
      rows={rows}
      resize="vertical"
      disabled={disabled}
      {...(placeholder === undefined ? {} : { placeholder })}
      {...(maxLength === undefined ? {} : { maxlength: maxLength })}
      onInput={(event) => change(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    >
      {label}
    </vscode-text-area>
  );
}
