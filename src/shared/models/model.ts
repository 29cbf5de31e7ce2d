/** Which of the configured models answers. */
import type { Mode } from "../message.ts";

/** `planModel`: the model of plan mode; empty or absent: the same as in act mode. */
export function modelOf(
  { model, planModel = "" }: { model: string; planModel?: string | undefined },
  mode: Mode,
): string {
  return mode === "plan" && planModel !== "" ? planModel : model;
}
