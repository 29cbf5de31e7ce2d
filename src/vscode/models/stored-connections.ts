/** Changes of the raw list `nekode.connections`, which may contain entries that cannot be used. */
import * as z from "zod";

const namedSchema = z.looseObject({ name: z.string() });

function isNamed(entry: unknown, name: string): boolean {
  return namedSchema.safeParse(entry).data?.name === name;
}

/** The raw list `nekode.connections` without a connection. The list may contain entries that cannot be used, which stay. */
export function withoutConnection(entries: readonly unknown[], name: string): unknown[] {
  return entries.filter((entry) => !isNamed(entry, name));
}

/** The raw list with another address for a connection. */
export function withAddress(entries: readonly unknown[], name: string, baseUrl: string): unknown[] {
  return entries.map((entry) => (isNamed(entry, name) ? { ...namedSchema.parse(entry), baseUrl } : entry));
}

/** The names that an earlier version of the product may have stored otherwise. */
export function storedNames(value: unknown): string[] {
  return z.array(z.string()).safeParse(value).data ?? [];
}
