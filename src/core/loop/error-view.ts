/** Converts an error that stopped a task to its view for the user. */
import type { ErrorView } from "../../shared/models/request-error.ts";
import { messageOf, ProviderError } from "../errors.ts";
import { NotSaved } from "../sessions/not-saved.ts";

export function errorView(error: unknown): ErrorView {
  if (error instanceof ProviderError) return error.view;
  return { code: error instanceof NotSaved ? "not-saved" : "internal", detail: messageOf(error) };
}
