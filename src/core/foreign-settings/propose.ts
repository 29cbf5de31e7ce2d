/**
 * Makes proposals of the settings of other agents: what each would change in the user's own settings, in our words. What cannot be taken
 * over, or must not be, is listed with the reason.
 */
import { type Connection, modelName } from "../../shared/models/connection.ts";
import { presetAt } from "../../shared/models/connection-presets.ts";
import type { LeftSetting, SettingNote, SettingProposal } from "../../shared/setting-proposals.ts";
import { sha256 } from "../bytes.ts";
import { ToolError } from "../errors.ts";
import { withoutKnownSecrets } from "../secrets.ts";
import { boundedLine, boundedText, cleanText } from "../servers/server-text.ts";
import { agentFileText } from "./agent-file.ts";
import {
  allowRule,
  askRule,
  type CommandState,
  commandRules,
  denyRule,
  type ForeignRule,
} from "./command-rules.ts";
import type { ForeignSetting, ForeignSettingsFile } from "./foreign-setting.ts";
import { withoutSecretValues } from "./secret-values.ts";
import { type OwnEntry, type OwnInput, ownServer } from "./server-entry.ts";

/** What taking over a proposal writes. */
export type SettingWrite =
  | { type: "server"; name: string; entry: OwnEntry; inputs: OwnInput[] }
  /** A new file in the user's own folder of that kind. */
  | { type: "file"; folder: OwnFolder; name: string; text: string }
  | { type: "command"; list: "allow" | "deny"; entry: string }
  | { type: "model"; name: string };
export type OwnFolder = "agents" | "rules";

export interface PreparedProposal extends SettingProposal {
  write: SettingWrite;
}

/** What the user has now. */
export interface OwnSettingState {
  commands: CommandState;
  /** `connection/id`; "": none. */
  model: string;
  connections: readonly Connection[];
  /** Where each kind is stored, for the user: the name of a setting, or of a file or folder with `~`. */
  places: Readonly<Record<"servers" | "allow" | "deny" | "model" | OwnFolder, string>>;
  /** The user's own server of this name, as JSON. Rejects with ToolError if the user's file cannot be read. */
  serverNamed(name: string): Promise<string | undefined>;
  /** The text of the user's own file. */
  textOf(folder: OwnFolder, name: string): Promise<string | undefined>;
}

export interface ProposeTexts {
  /** Masks the user's keys. */
  mask(text: string): string;
  /** The path for the user. */
  shownPath(file: string): string;
}

/** Characters of what is shown of a setting. */
const LONGEST_NAME = 200;
const LONGEST_SHOWN = 20_000;
/** Settings of one file. */
const MOST_SETTINGS = 500;

type Translated =
  | Pick<PreparedProposal, "kind" | "place" | "before" | "after" | "notes" | "write">
  | { why: SettingNote };

const because = (code: string, value = ""): { why: SettingNote } => ({ why: { code, value } });

export async function propose(
  files: readonly ForeignSettingsFile[],
  own: OwnSettingState,
  texts: ProposeTexts,
): Promise<{ proposals: PreparedProposal[]; left: LeftSetting[] }> {
  const proposals: PreparedProposal[] = [];
  const left: LeftSetting[] = [];
  const masked = (text: string) => withoutKnownSecrets(texts.mask(text));
  const path = (file: string) => boundedLine(masked(cleanText(texts.shownPath(file))), LONGEST_NAME);
  const line = (text: string) => boundedLine(withoutSecretValues(masked(cleanText(text))), LONGEST_NAME);
  for (const file of files) {
    const rules = commandRules(files.filter(({ product }) => product === file.product));
    const shown = { product: file.product, file: path(file.file) };
    for (const setting of file.settings.slice(0, MOST_SETTINGS)) {
      const name = line(setting.name);
      const translated = await translate(setting, file, rules, own);
      const written = "why" in translated ? "" : JSON.stringify(translated.write);
      if ("why" in translated || masked(written) !== written) {
        const why = "why" in translated ? translated.why : { code: "has-key", value: "" };
        left.push({ ...shown, name, why: { ...why, value: line(why.value) } });
        continue;
      }
      const { kind, place, before, after, notes, write } = translated;
      const visible = {
        ...shown,
        ...{ kind, name, place },
        before: boundedText(masked(before), LONGEST_SHOWN),
        after: boundedText(after, LONGEST_SHOWN),
        raises: kind === "allow",
        notes: notes.map(({ code, value }) => ({ code, value: line(value) })),
      };
      const key = await hashOf([file.product, file.file, kind, setting.name]);
      if (proposals.some((other) => other.key === key)) continue;
      proposals.push({ ...visible, key, state: "new", hash: await hashOf([visible, write]), write });
    }
    if (file.settings.length > MOST_SETTINGS)
      left.push({ ...shown, name: "…", ...because("too-many", String(MOST_SETTINGS)) });
  }
  return { proposals, left };
}

async function hashOf(value: unknown): Promise<string> {
  return (await sha256(new TextEncoder().encode(JSON.stringify(value)))).slice(0, 32);
}

async function translate(
  setting: ForeignSetting,
  file: ForeignSettingsFile,
  rules: ReturnType<typeof commandRules>,
  own: OwnSettingState,
): Promise<Translated> {
  switch (setting.kind) {
    case "server":
      return serverProposal(setting, file, own);
    case "agent": {
      const made = await agentFileText(setting);
      return "why" in made ? made : fileProposal("agents", made, own);
    }
    case "rules":
      return fileProposal("rules", { name: setting.name, text: cleanText(setting.text), notes: [] }, own);
    case "rule":
      return ruleProposal(setting, file, rules, own);
    case "model":
      return modelProposal(setting, file, own);
    case "other":
      return { why: setting.why };
  }
}

async function serverProposal(
  { name, entry: given, inputs }: Extract<ForeignSetting, { kind: "server" }>,
  { product }: ForeignSettingsFile,
  { places, serverNamed }: OwnSettingState,
): Promise<Translated> {
  const server = ownServer(name, given, { inputs, product });
  if ("why" in server) return server;
  const after = JSON.stringify({ [server.name]: server.entry }, null, 2);
  let existing: string | undefined;
  try {
    existing = await serverNamed(server.name);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return because("own-servers", places.servers);
  }
  if (existing !== undefined)
    return because(existing === JSON.stringify(server.entry) ? "present" : "name-taken", server.name);
  const { notes, ...write } = server;
  return {
    ...{ kind: "server", place: places.servers, before: "", after, notes },
    write: { type: "server", ...write },
  };
}

const fileNames = () => /^[\p{L}\p{N}_][\p{L}\p{N} ._-]{0,80}$/u;

async function fileProposal(
  folder: OwnFolder,
  { name, text, notes }: { name: string; text: string; notes: SettingNote[] },
  { places, textOf }: OwnSettingState,
): Promise<Translated> {
  if (!fileNames().test(name)) return because("file-name");
  const file = `${name.replace(/\.(?:md|txt)$/i, "")}.md`;
  const existing = await textOf(folder, file);
  if (existing !== undefined) return because(existing === text ? "present" : "name-taken", file);
  return {
    ...{ kind: folder === "agents" ? "agent" : "rules", place: `${places[folder]}/${file}`, before: "" },
    ...{ after: text, notes, write: { type: "file", folder, name: file, text } },
  };
}

function ruleProposal(
  rule: ForeignRule,
  { isOfProject }: ForeignSettingsFile,
  rules: ReturnType<typeof commandRules>,
  { commands, places }: OwnSettingState,
): Translated {
  if (rule.action === "allow" && isOfProject) return because("of-project");
  const list = rule.action === "deny" ? "deny" : "allow";
  const translated =
    rule.action === "allow"
      ? allowRule(rule, rules, commands)
      : rule.action === "deny"
        ? denyRule(rule, commands)
        : askRule(rule, commands);
  if ("why" in translated) return translated;
  const { entry, notes } = translated;
  return {
    ...{ kind: rule.action === "ask" ? "builtin" : rule.action, place: places[list], before: "" },
    ...{ after: entry, notes, write: { type: "command", list, entry } },
  };
}

function modelProposal(
  { maker, id }: Extract<ForeignSetting, { kind: "model" }>,
  { isOfProject }: ForeignSettingsFile,
  { model, connections, places }: OwnSettingState,
): Translated {
  if (isOfProject) return because("model-of-project");
  if (!/^[\w.:/@-]{1,100}$/.test(id)) return because("invalid");
  const connection = connections.find(
    ({ name, baseUrl }) => name === maker || presetAt(baseUrl)?.id === maker,
  );
  if (!connection) return because("no-connection", maker);
  const name = modelName({ connection, model: id });
  if (name === model) return because("present");
  return {
    ...{ kind: "model", place: places.model, before: model, after: name, notes: [] },
    write: { type: "model", name },
  };
}
