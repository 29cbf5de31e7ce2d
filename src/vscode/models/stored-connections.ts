/** Changes to the stored list `nekode.connections`, which may contain entries that cannot be used. */
import * as z from "../../shared/zod.ts";

const namedSchema = z.looseObject({ name: z.string() });

function isNamed(entry: unknown, name: string): boolean {
  return namedSchema.safeParse(entry).data?.name === name;
}

/** The list without a connection. Entries that cannot be used stay. */
export function withoutConnection(entries: readonly unknown[], name: string): unknown[] {
  return entries.filter((entry) => !isNamed(entry, name));
}

/** The list with another address for a connection. */
export function withAddress(entries: readonly unknown[], name: string, baseUrl: string): unknown[] {
  return entries.map((entry) => (isNamed(entry, name) ? { ...namedSchema.parse(entry), baseUrl } : entry));
}

/** Stored names; empty if an earlier version of Nekode stored something else. */
export function storedNames(value: unknown): string[] {
  return z.array(z.string()).safeParse(value).data ?? [];
}
