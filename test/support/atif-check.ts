/** Checks trajectories against the specification of ATIF-v1.7: its fields by a schema, and the rules that no schema can hold. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { AtifTrajectory } from "../../src/core/sessions/export/atif-types.ts";

const schema: unknown = JSON.parse(
  await readFile(path.resolve(import.meta.dirname, "../../docs/atif-v1.7.schema.json"), "utf8"),
);
const fits = new Ajv2020({ allErrors: true, strict: false }).compile<AtifTrajectory>(schema as object);

/** What is wrong with the trajectory; empty: nothing. */
export function atifFaults(value: unknown): string[] {
  if (!fits(value))
    return (fits.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  return rulesBroken(value, "");
}

function rulesBroken({ steps, subagent_trajectories: children = [] }: AtifTrajectory, at: string): string[] {
  const faults: string[] = [];
  steps.forEach((step, index) => {
    if (step.step_id !== index + 1) faults.push(`${at}step ${index + 1} has the id ${step.step_id}`);
    const calls = new Set(step.tool_calls?.map((call) => call.tool_call_id));
    for (const { source_call_id: id, subagent_trajectory_ref: references } of step.observation?.results ??
      []) {
      if (id !== undefined && !calls.has(id)) faults.push(`${at}step ${step.step_id} answers the call ${id}`);
      for (const { trajectory_id: child } of references ?? []) {
        if (!children.some((each) => each.trajectory_id === child)) faults.push(`${at}there is no ${child}`);
      }
    }
  });
  const ids = children.map((child) => child.trajectory_id);
  if (new Set(ids).size !== ids.length) faults.push(`${at}children share an id`);
  return [...faults, ...children.flatMap((child) => rulesBroken(child, `${child.trajectory_id}: `))];
}
