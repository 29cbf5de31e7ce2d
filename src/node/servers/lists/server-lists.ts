/**
 * Reads the lists of a server: all pages, up to a limit. An entry that is not valid is dropped and logged, the others stay.
 */
import type {
  ServerPrompt,
  ServerResource,
  ServerResourceTemplate,
  ServerTool,
} from "../../../core/ports/servers.ts";
import { boundedText, cleanJson, cleanText } from "../../../core/servers/server-text.ts";
import * as z from "../../../shared/zod.ts";
import type { ServerLog } from "../server-log.ts";
import { schemaFault } from "./schema-fault.ts";

const MOST_PAGES = 64;
const MOST_ENTRIES = 1_000;
/** Characters of all entries of a list as JSON, which are kept, compared and measured as a whole. */
const MOST_CHARACTERS = 5_000_000;
/** Characters of a name, of a description, of an address, and of a tool's schema as JSON. */
const NAME = 256;
const DESCRIPTION = 4_000;
const ADDRESS = 4_000;
const SCHEMA = 100_000;

const text = (most: number) =>
  z.pipe(
    z.string(),
    z.transform((value) => boundedText(value, most)),
  );
const optional = (most: number) =>
  z.pipe(
    z.nullish(z.string()),
    z.transform((value) => (value == null ? undefined : boundedText(value, most) || undefined)),
  );

/** A name identifies something in later calls, so it must not change when it is cleaned. */
const name = (most = NAME) =>
  z.string().check(
    z.minLength(1),
    z.maxLength(most),
    z.refine((value) => cleanText(value) === value && !/[\n\t]/.test(value), "contains hidden characters"),
  );

const hint = z.catch(z.optional(z.boolean()), undefined);

const toolSchema = z.pipe(
  z.object({
    name: name(128),
    title: optional(NAME),
    description: optional(DESCRIPTION),
    inputSchema: z.looseObject({ type: z._default(z.literal("object"), "object") }).check(
      z.refine((schema) => JSON.stringify(schema).length <= SCHEMA, `is larger than ${SCHEMA} characters`),
      z.superRefine((schema, context) => {
        const message = schemaFault(schema);
        if (message !== undefined) context.addIssue({ code: "custom", message });
      }),
    ),
    annotations: z.catch(
      z.nullish(
        z.object({
          title: optional(NAME),
          readOnlyHint: hint,
          destructiveHint: hint,
          openWorldHint: hint,
        }),
      ),
      undefined,
    ),
  }),
  z.transform(({ name, title, description, inputSchema, annotations }): ServerTool => {
    const shown = title ?? annotations?.title;
    const schema = z.record(z.string(), z.unknown()).parse(cleanJson(inputSchema));
    return {
      name,
      ...(shown === undefined ? {} : { title: shown }),
      description: description ?? "",
      inputSchema: schema,
      hints: {
        ...(annotations?.readOnlyHint === undefined ? {} : { readOnly: annotations.readOnlyHint }),
        ...(annotations?.destructiveHint === undefined ? {} : { destructive: annotations.destructiveHint }),
        ...(annotations?.openWorldHint === undefined ? {} : { openWorld: annotations.openWorldHint }),
      },
    };
  }),
);

const described = {
  name: text(NAME),
  title: optional(NAME),
  description: optional(DESCRIPTION),
};
const mimeType = optional(NAME);

const resourceSchema = z.pipe(
  z.object({ uri: name(ADDRESS), ...described, mimeType }),
  z.transform((found): ServerResource => withoutUndefined(found)),
);

const templateSchema = z.pipe(
  z.object({ uriTemplate: name(ADDRESS), ...described, mimeType }),
  z.transform((found): ServerResourceTemplate => withoutUndefined(found)),
);

const argumentSchema = z.pipe(
  z.object({ name: name(), description: optional(DESCRIPTION), required: z.nullish(z.boolean()) }),
  z.transform(({ required, ...found }) => ({ ...withoutUndefined(found), required: required === true })),
);

const promptSchema = z.pipe(
  z.object({
    ...described,
    name: name(),
    arguments: z.pipe(
      z.nullish(z.array(argumentSchema)),
      z.transform((found) => found ?? []),
    ),
  }),
  z.transform((found): ServerPrompt => withoutUndefined(found)),
);

/** One page of a list, with entries that were not checked yet. */
export const pageSchema = z.looseObject({ nextCursor: z.nullish(z.string()) });
export type ListPage = z.infer<typeof pageSchema>;

interface Kind<T> {
  method: string;
  /** The property of a page with its entries. */
  key: string;
  schema: z.ZodMiniType<T>;
  idOf(entry: T): string;
}

export const TOOLS: Kind<ServerTool> = {
  method: "tools/list",
  key: "tools",
  schema: toolSchema,
  idOf: (tool) => tool.name,
};
export const RESOURCES: Kind<ServerResource> = {
  method: "resources/list",
  key: "resources",
  schema: resourceSchema,
  idOf: (resource) => resource.uri,
};
export const TEMPLATES: Kind<ServerResourceTemplate> = {
  method: "resources/templates/list",
  key: "resourceTemplates",
  schema: templateSchema,
  idOf: (template) => template.uriTemplate,
};
export const PROMPTS: Kind<ServerPrompt> = {
  method: "prompts/list",
  key: "prompts",
  schema: promptSchema,
  idOf: (prompt) => prompt.name,
};

/** `ask` requests one page. Rejects as `ask` does. */
export async function readList<T>(
  kind: Kind<T>,
  ask: (cursor: string | undefined) => Promise<ListPage>,
  log: ServerLog,
): Promise<T[]> {
  const list = new Map<string, T>();
  const cursors = new Set<string>();
  let characters = 0;
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer = await ask(cursor);
    const entries = answer[kind.key];
    if (!Array.isArray(entries)) {
      log.note(`The answer to ${kind.method} has no list of ${kind.key}.`);
      break;
    }
    for (const entry of entries) {
      if (list.size >= MOST_ENTRIES) {
        log.note(`The server lists more than ${MOST_ENTRIES} ${kind.key}; the rest is ignored.`);
        return [...list.values()];
      }
      characters += addEntry(list, kind, entry, log);
      if (characters > MOST_CHARACTERS) {
        log.note(
          `The server's list of ${kind.key} is too large; after ${list.size} of them, the rest is ignored.`,
        );
        return [...list.values()];
      }
    }
    cursor = answer.nextCursor ?? undefined;
    if (cursor === undefined || cursors.has(cursor)) return [...list.values()];
    cursors.add(cursor);
  }
  if (cursor !== undefined)
    log.note(`The server's list of ${kind.key} has more than ${MOST_PAGES} pages; the rest is ignored.`);
  return [...list.values()];
}

/** Returns the characters of what was added. */
function addEntry<T>(list: Map<string, T>, kind: Kind<T>, entry: unknown, log: ServerLog): number {
  const parsed = parse(kind, entry);
  if ("problem" in parsed) {
    log.add(`One of the server's ${kind.key} is ignored: ${parsed.problem}`);
    return 0;
  }
  const id = kind.idOf(parsed.value);
  if (list.has(id)) {
    log.add(`The server lists ${id} twice among its ${kind.key}; the first one is used.`);
    return 0;
  }
  list.set(id, parsed.value);
  return JSON.stringify(parsed.value).length;
}

function parse<T>(kind: Kind<T>, entry: unknown): { value: T } | { problem: string } {
  const label = z.looseObject({ name: z.string() }).safeParse(entry).data?.name ?? "(without a name)";
  try {
    const parsed = kind.schema.safeParse(entry);
    if (parsed.success) return { value: parsed.data };
    const [issue] = parsed.error.issues;
    return { problem: `${label}: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}` };
  } catch (error) {
    // A schema that is nested too deeply.
    if (error instanceof RangeError) return { problem: `${label}: ${error.message}` };
    throw error;
  }
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

function withoutUndefined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Defined<T>;
}
