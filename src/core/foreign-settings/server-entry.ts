/**
 * Makes an entry of our own configuration file of an MCP server that another agent has. It allows no tool, must be approved before it
 * starts, and contains no value that may be a secret: the user is asked for those.
 */
import type { SettingNote, SettingProduct } from "../../shared/setting-proposals.ts";
import * as z from "../../shared/zod.ts";
import { SERVER_TRANSPORTS } from "../servers/config/configuration.ts";
import { checkServer } from "../servers/config/pasted-servers.ts";
import { serverInputSchema } from "../servers/config/server-schema.ts";
import { serverName } from "../servers/server-identity.ts";
import { cleanText } from "../servers/server-text.ts";
import type { ForeignServer } from "./foreign-setting.ts";
import { isPlainValue, isReference, isSecretName, looksSecret } from "./secret-values.ts";

const scalar = z.pipe(z.union([z.string(), z.number(), z.boolean()]), z.transform(String));
const foreignEntrySchema = z.object({
  type: z.optional(z.string()),
  command: z.optional(z.string()),
  args: z.optional(z.array(scalar)),
  env: z.optional(z.record(z.string(), scalar)),
  cwd: z.optional(z.string()),
  url: z.optional(z.string()),
  headers: z.optional(z.record(z.string(), scalar)),
  disabled: z.optional(z.boolean()),
  timeout: z.optional(z.number()),
});

type EntryValue = string | number | boolean | readonly string[] | Readonly<Record<string, string>>;
export type OwnEntry = Record<string, EntryValue>;
export type OwnInput = Record<string, string | boolean | string[]>;

export interface OwnServer {
  name: string;
  entry: OwnEntry;
  inputs: OwnInput[];
  notes: SettingNote[];
}

/** Seconds that an entry may set. */
const LONGEST_TIMEOUT = 3_600;
/** Characters of a text in an entry. */
const LONGEST_TEXT = 4_000;
export function ownServer(
  name: string,
  given: ForeignServer,
  { inputs = [], product }: { inputs?: readonly unknown[] | undefined; product: SettingProduct },
): OwnServer | { why: SettingNote } {
  const usable = serverName(name);
  if (usable === undefined || looksSecret(name)) return { why: { code: "server-name", value: "" } };
  const parsed = foreignEntrySchema.safeParse(given);
  if (!parsed.success) return { why: { code: "invalid", value: "" } };
  const server = new EntryMaker(usable, inputs, product).make(parsed.data, given.dropped ?? []);
  if (!server) return { why: { code: "has-key", value: "" } };
  const { entry } = server;
  if (checkServer({ name: usable, entry, inputs: server.inputs }).problems.length > 0)
    return { why: { code: "invalid", value: "" } };
  return server;
}

/** Options, headers in an argument and variables in an argument, with the text before the value. */
const NAMED_VALUE = /^(--?[\w.-]+[=:]|[A-Za-z_][\w.-]*=|[A-Za-z][\w-]*:\s*(?:Bearer\s+|Basic\s+)?)(.+)$/s;
const OPTION = /^--?[\w.-]+$/;
/** What follows is a header or a variable. */
const VALUE_OPTION = /^(?:-H|--header|-e|--env)$/;
/** What follows is a user, and a password after a colon. */
const USER_OPTION = /^(?:-u|--user)$/;

class EntryMaker {
  readonly #name: string;
  readonly #given: ReadonlyMap<string, z.infer<typeof serverInputSchema>>;
  readonly #product: SettingProduct;
  readonly #inputs = new Map<string, OwnInput>();
  readonly #entered: string[] = [];

  constructor(name: string, inputs: readonly unknown[], product: SettingProduct) {
    this.#name = name;
    this.#product = product;
    const read = inputs.flatMap((input) => serverInputSchema.safeParse(input).data ?? []);
    this.#given = new Map(read.map((input) => [input.id, input]));
  }

  /** undefined: something in it looks like a secret where nothing can stand in its place. */
  make(
    { type, command, args, env, cwd, url, headers, disabled, timeout }: z.infer<typeof foreignEntrySchema>,
    dropped: readonly string[],
  ): OwnServer | undefined {
    const fixed = [command ?? "", cwd ?? "", ...Object.keys(env ?? {}), ...Object.keys(headers ?? {})];
    if (fixed.some(looksSecret) || Object.keys(env ?? {}).some((key) => /[=\s]/.test(key))) return undefined;
    const kind = new Map(Object.entries(SERVER_TRANSPORTS)).get(type ?? "");
    const entry: OwnEntry = {
      ...(kind === undefined ? {} : { type: kind }),
      ...(command === undefined ? {} : { command: clean(command) }),
      ...(args === undefined ? {} : { args: this.#args(args) }),
      ...(isEmpty(env) ? {} : { env: this.#values(env) }),
      ...(cwd === undefined || cwd === "" ? {} : { cwd: clean(cwd) }),
      ...(url === undefined ? {} : { url: this.#url(url) }),
      ...(isEmpty(headers) ? {} : { headers: this.#values(headers) }),
      ...(disabled === true ? { disabled } : {}),
      ...(timeout !== undefined && timeout >= 1 && timeout <= LONGEST_TIMEOUT ? { timeout } : {}),
      importedFrom: this.#product,
    };
    const notes: SettingNote[] = [
      ...(this.#entered.length === 0 ? [] : [{ code: "enter", value: this.#entered.join(", ") }]),
      ...(dropped.length === 0 ? [] : [{ code: "dropped", value: dropped.join(", ") }]),
      { code: "approve-server", value: "" },
    ];
    return { name: this.#name, entry, inputs: [...this.#inputs.values()], notes };
  }

  #values(values: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        clean(name),
        isPlainValue(name, value) ? this.#text(value) : this.#asked(name),
      ]),
    );
  }

  #args(args: readonly string[]): string[] {
    return args.map((arg, index) => {
      const option = args[index - 1] ?? "";
      const ask = () => this.#asked(`argument ${index + 1}`);
      if (isReference(arg)) return this.#text(arg);
      if (isSecretName(option) && OPTION.test(option) && !OPTION.test(arg)) return this.#asked(option);
      const [, before = "", value = ""] = NAMED_VALUE.exec(arg) ?? [];
      const isSecret =
        isSecretName(before) || (VALUE_OPTION.test(option) && before !== "" && !isPlainValue(before, value));
      if (isSecret && !arg.includes("://"))
        return `${clean(before)}${isReference(value) ? this.#text(value) : this.#asked(before)}`;
      if (USER_OPTION.test(option) && /^[^:]+:(?!\d+$)/.test(arg)) return this.#asked("user");
      if (arg.includes("://")) return looksSecret(arg.replace(/\S*:\/\/\S*/g, "")) ? ask() : this.#url(arg);
      return looksSecret(arg) ? ask() : this.#text(arg);
    });
  }

  /** A part of the address that may be a secret is asked for; the host stays, so that the user sees where requests go. */
  #url(url: string): string {
    const [, start = "", rest = ""] = /^([^?#]*?:\/\/[^/?#]*)(.*)$/s.exec(url) ?? [];
    const bare = start.replace(/\/\/[^/]*@/, "//");
    if (start === "" || looksSecret(bare)) return this.#asked("url");
    // A password with a slash in it ends the host too early, so that its end is in the path.
    if (/[^/]@/.test(rest)) return this.#asked("url");
    const hidden = start !== bare || /[?#]/.test(rest) || looksSecret(rest);
    if (!hidden) return this.#text(url);
    return start === bare ? `${clean(bare)}/${this.#asked("path")}` : this.#asked("url");
  }

  /** A text without what a reader does not see. References to inputs name ours. */
  #text(text: string): string {
    return clean(text).replace(/\$\{input:([^{}]+)\}/g, (_, id: string) => {
      const input = this.#given.get(id);
      return this.#asked(input?.id ?? id, input);
    });
  }

  #asked(label: string, given?: z.infer<typeof serverInputSchema>): string {
    const shown = looksSecret(label)
      ? "value"
      : clean(label)
          .replace(/[^\w. -]+/g, "")
          .replace(/^-+/, "");
    const id = `${this.#name}-${shown.replace(/\s+/g, "-")}`;
    if (!this.#inputs.has(id)) {
      const options = given?.options?.map((each) => (typeof each === "string" ? each : each.value)) ?? [];
      const picks = given?.type === "pickString" && options.length > 0 && !options.some(looksSecret);
      this.#inputs.set(id, {
        type: picks ? "pickString" : "promptString",
        id,
        description: `${shown} (${this.#name})`,
        ...(picks ? { options: options.map(clean) } : { password: given?.password ?? true }),
      });
      this.#entered.push(shown);
    }
    return `\${input:${id}}`;
  }
}

function isEmpty(values: Readonly<Record<string, string>> | undefined): values is undefined {
  return values === undefined || Object.keys(values).length === 0;
}

function clean(text: string): string {
  return cleanText(text).slice(0, LONGEST_TEXT);
}
