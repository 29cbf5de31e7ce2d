/** Known deviations of endpoints that speak the Messages API, and of its models. */
import type { Quirk } from "../api.ts";

/** Thinking is requested without a budget (Claude 4.7 and later). */
export const ADAPTIVE_THINKING: Quirk = {
  name: "adaptive thinking",
  words:
    /thinking\.type\.enabled\W.{0,30}not supported|budget_tokens.{0,60}(?:not|no longer) (?:supported|accepted|permitted)/is,
};

/** Thinking is requested with a budget (Claude 4.5 and earlier, compatible endpoints). */
export const BUDGET_THINKING: Quirk = {
  name: "thinking budget",
  words:
    /adaptive.{0,30}(?:not supported|unsupported)|not support adaptive|(?:input tag|unknown variant|invalid value).{0,20}adaptive|effort.{0,5} parameter|output_config/is,
};

/** Thinking cannot be turned off. */
export const ALWAYS_THINKS: Quirk = {
  name: "always thinks",
  words: /thinking\.type\.disabled\W.{0,30}not supported|thinking.{0,30}(?:cannot|can't) be disabled/is,
};

/** The model has no thinking. */
export const NO_THINKING: Quirk = {
  name: "no thinking",
  words: /not support (?:extended )?thinking|thinking.{0,10}(?:is )?not supported|thinking: extra inputs/is,
};

/** Thinking has no `display`. */
export const NO_DISPLAY: Quirk = { name: "no display", words: /\bdisplay\b/i };

/**
 * Earlier thinking is left out. An endpoint refuses it if it comes from another account or model, or if what precedes it
 * has changed, for instance because results were shortened.
 */
export const WITHOUT_THINKING_BACK: Quirk = {
  name: "without earlier thinking",
  passing: true,
  words:
    /(?:invalid|missing|unknown).{0,5}signature|signature.{0,60}(?:invalid|not valid|could not|cannot|different)|thinking.{0,30}blocks?.{0,80}(?:cannot be modified|could not be|not (?:allowed|accepted)|cannot be (?:read|verified|decrypted))|expected .?thinking|must start with a thinking block/is,
};

/** `temperature` is not accepted (Claude 4.7 and later). */
export const NO_TEMPERATURE: Quirk = { name: "no temperature", words: /temperature/i };

/** `cache_control` is not accepted (some compatible endpoints). */
export const NO_CACHE_CONTROL: Quirk = { name: "no cache control", words: /cache_control/i };

/** `max_tokens` is too large for the model, or for what is left of its window. */
export const SHORT_ANSWERS: Quirk = {
  name: "short answers",
  ofLength: true,
  passing: true,
  words:
    /max_tokens.{0,40}(?:exceed|maximum|at most|less than|must be <|out of range|too large)|max_tokens: \d+ >/is,
};

/** The first whose pattern matches applies. */
export const ANTHROPIC_QUIRKS: readonly Quirk[] = [
  SHORT_ANSWERS,
  ADAPTIVE_THINKING,
  ALWAYS_THINKS,
  BUDGET_THINKING,
  WITHOUT_THINKING_BACK,
  NO_DISPLAY,
  NO_THINKING,
  NO_TEMPERATURE,
  NO_CACHE_CONTROL,
];
