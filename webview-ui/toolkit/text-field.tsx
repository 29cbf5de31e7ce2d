import "./elements/text-field.ts";
import { type TextProps, useTextElement } from "./elements/text-element.ts";

export type { TextHandle } from "./elements/text-element.ts";

export function TextField({ secret = false, ...props }: TextProps & { secret?: boolean }) {
  return (
    <vscode-text-field {...useTextElement(props)} type={secret ? "password" : "text"}>
      {props.label}
    </vscode-text-field>
  );
}
