/** Lists what a policy manages. */
import type { ManagedItem, ManagedList } from "../../shared/managed-list.ts";
import type { AdminPolicy } from "./admin-policy.ts";

export function managedList(policy: AdminPolicy): ManagedList {
  const { managedBy, file } = policy;
  return { managedBy, file, items: managedItems(policy) };
}

function managedItems(policy: AdminPolicy): ManagedItem[] {
  const { endpoints, models, permissions: { highest, ask } = {}, limits = {} } = policy;
  const item = (code: ManagedItem["code"], ...values: readonly string[]): ManagedItem => ({
    code,
    values: [...values],
  });
  const listed = (code: "servers" | "plugins" | "hooks") => {
    const list = policy[code];
    if (list === undefined) return [];
    return [item(code, list === "off" ? "0" : String(list.allowed.length))];
  };
  return [
    ...(endpoints ? [item("endpoints", ...endpoints)] : []),
    ...(models ? [item("models", ...models)] : []),
    ...(highest === undefined ? [] : [item("level", highest)]),
    ...(ask && ask.length > 0 ? [item("asks", ...ask)] : []),
    ...(policy.sandbox ? [item("sandbox")] : []),
    ...listed("servers"),
    ...listed("plugins"),
    ...listed("hooks"),
    ...(policy.export ? [item("export")] : []),
    ...(limits.costPerTask === undefined ? [] : [item("cost-per-task", limits.costPerTask.toFixed(2))]),
    ...(limits.costPerDay === undefined ? [] : [item("cost-per-day", limits.costPerDay.toFixed(2))]),
    ...telemetryItems(policy, item),
  ];
}

function telemetryItems(
  { telemetry }: AdminPolicy,
  item: (code: ManagedItem["code"], ...values: readonly string[]) => ManagedItem,
): ManagedItem[] {
  if (telemetry === undefined) return [];
  if (telemetry === "off") return [item("telemetry-off")];
  const place = "file" in telemetry ? telemetry.file : telemetry.endpoint;
  return [item("telemetry", place, ...(telemetry.content ? ["content"] : []))];
}
