/**
 * The errors of core, which the language servers get as values: they are a bundle of their own, and an error's second class would not be
 * recognized.
 */
import type { Interrupt, ToolError } from "../../core/errors.ts";

export interface CoreErrors {
  ToolError: typeof ToolError;
  Interrupt: typeof Interrupt;
}
