/** Why a plugin is not installed, as data: the hosts have the words. */
import type { PluginProblem } from "../../shared/plugin-list.ts";

export class PluginError extends Error {
  override name = "PluginError";
  readonly problem: PluginProblem;

  constructor(code: string, ...values: string[]) {
    super([code, ...values].join(" "));
    this.problem = { code, values };
  }
}
