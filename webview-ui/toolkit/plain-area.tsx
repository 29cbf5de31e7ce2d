/**
 * A native text area, for what the toolkit's cannot be: one whose selection the page reads and sets, that a list elsewhere in the
 * page completes, or that grows with its text.
 */
import type { Ref, TextareaHTMLAttributes } from "react";

interface Props extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  value: string;
  testId?: string | undefined;
  ref?: Ref<HTMLTextAreaElement>;
}

export function PlainArea({ testId, ...attributes }: Props) {
  return <textarea {...attributes} data-testid={testId} />;
}
