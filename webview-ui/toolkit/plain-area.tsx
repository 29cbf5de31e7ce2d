/**
 * A native text area, for uses that the toolkit's does not support: the page reads and sets its selection, a list elsewhere in
 * the page completes its text, or it grows with its text.
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
