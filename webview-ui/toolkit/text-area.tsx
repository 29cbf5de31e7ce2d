import "./elements/text-area.ts";
import { type TextProps, useTextElement } from "./elements/text-element.ts";

export type { TextHandle } from "./elements/text-element.ts";

export function TextArea({ rows = 4, ...props }: TextProps & { rows?: number }) {
  return (
    <vscode-text-area {...useTextElement(props)} rows={rows} resize="vertical">
      {props.label}
    </vscode-text-area>
  );
}
