/** Reads entries of MCP servers as most agents write them. */
import type { ForeignServer, ForeignSetting } from "../../core/foreign-settings/foreign-setting.ts";
import { looksSecret } from "../../core/foreign-settings/secret-values.ts";
import { type Fields, fieldsSchema } from "../../core/sessions/import/values.ts";

type ServerSetting = Extract<ForeignSetting, { kind: "server" }>;

const KNOWN = new Set([
  ...["type", "transport", "transportType", "command", "args", "env", "cwd", "url", "serverUrl", "httpUrl"],
  ...["headers", "disabled", "timeout"],
]);

/** `timeout`: that of this agent is in seconds. */
export function foreignServers(servers: unknown, timeout: "seconds" | "other"): ServerSetting[] {
  return objectEntries(servers).map(([name, given]) => {
    const transport = fieldsSchema.safeParse(given.transport).data;
    const { transport: _, ...outer } = given;
    const fields = transport ? { ...outer, ...transport } : given;
    const { command, args, env, cwd, headers, disabled } = fields;
    return {
      kind: "server",
      name,
      entry: {
        ...{ type: fields.type ?? fields.transport ?? fields.transportType, command, args, env, cwd },
        ...{ url: fields.url ?? fields.serverUrl ?? fields.httpUrl, headers, disabled },
        ...(timeout === "seconds" ? { timeout: fields.timeout } : {}),
        dropped: droppedOf(fields, KNOWN),
      },
    };
  });
}

/** The entries that are objects. */
export function objectEntries(value: unknown): [string, Fields][] {
  const entries = Object.entries(fieldsSchema.safeParse(value).data ?? {});
  return entries.flatMap(([name, entry]): [string, Fields][] => {
    const fields = fieldsSchema.safeParse(entry).data;
    return fields ? [[name, fields]] : [];
  });
}

/** The other keys of an entry that are set. */
export function droppedOf(fields: Fields, known: ReadonlySet<string>): string[] {
  return Object.entries(fields).flatMap(([key, value]) => {
    const isEmpty = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
    return known.has(key) || isEmpty || value === false || looksSecret(key) ? [] : [key];
  });
}

/** The keys of an entry that are undefined do not count as given. */
export function serverSetting(name: string, entry: ForeignServer): ServerSetting {
  return { kind: "server", name, entry };
}
