/**
 * Reads rules files one after another, with the files that they import, and decides for each whether it applies. All files together
 * are bounded, and the same text counts once.
 */
import { dirname, join, parse, relative, sep } from "node:path";
import { type Reason, reasonOf } from "../../shared/reason.ts";
import type { RuleFault, RuleState } from "../../shared/rule-file.ts";
import type { RuleSource } from "../../shared/rule-list.ts";
import type { Settings } from "../../shared/settings.ts";
import type { Host } from "../ports/host.ts";
import { isInside } from "../roots.ts";
import { readFrontMatter } from "./front-matter.ts";
import { readInstructionFile } from "./instruction-file.ts";
import type { ProjectFiles, RuleLocation, RulePlace } from "./rule-files.ts";
import { importsIn, looksLikeFile, type RuleImport } from "./rule-imports.ts";
import { firstMatch } from "./rule-matches.ts";
import { type RuleUse, ruleUse } from "./rule-use.ts";

export interface Rule {
  source: RuleSource;
  /** The name for the model and the user: relative to the workspace, or with `~`. */
  name: string;
  /** Patterns of the files that it applies to; empty: all files. */
  paths: string[];
  text: string;
}

/** A rules file with its content, and whether it applies to the next task. */
export interface SurveyedRule extends Rule {
  /** Absolute. */
  path: string;
  state: RuleState;
  /** The reason for `unreadable` and `front-matter`. */
  why?: Reason;
  /** The file that imports it, has the same text or stands in its place. */
  by?: string;
  /** A file of the project that matches its patterns. */
  match?: string;
}

export interface RuleSettings extends Pick<Settings["context"], "rules" | "rulesOff"> {
  /** The agent of the task: the rules for a mode of this name apply. */
  agent?: string;
}

/** Characters of all rules together. */
const TOTAL_CHARACTERS = 120_000;
const MOST_FILES = 60;
/** How many imports lead to a file at most, and how many are followed in all files together. */
const MOST_HOPS = 4;
const MOST_IMPORTS = 200;

/** What the modes of other products are called here. */
const OWN_MODES: Readonly<Record<string, string>> = { code: "ACT MODE", architect: "PLAN MODE" };

/** Where a file stands, beside its content. */
interface RuleAt {
  source: RuleSource;
  name: string;
  path: string;
  place: RulePlace;
  paths: string[];
  /** How many imports lead to it. */
  hops: number;
  imports: boolean;
}

export class RuleSurvey {
  readonly #host: Host;
  readonly #settings: RuleSettings;
  readonly #listed: ProjectFiles | undefined;
  readonly #off: ReadonlySet<string>;
  readonly #judged: SurveyedRule[] = [];
  readonly #byPath = new Map<string, SurveyedRule>();
  /** The first file that has each text, and the files that this one applies to. */
  readonly #texts = new Map<string, Pick<Rule, "name" | "paths">>();
  /** What stands in place of a file, by the path of that file. */
  readonly #overridden = new Map<string, string>();
  #room = TOTAL_CHARACTERS;
  #files = 0;
  #imports = 0;
  /** Files that changed at this time or later are not used yet; see `add`. */
  #before = Number.POSITIVE_INFINITY;

  /** `listed`: for rules with path conditions; undefined: nothing of the workspace is read. */
  constructor(host: Host, settings: RuleSettings, listed: ProjectFiles | undefined) {
    this.#host = host;
    this.#settings = settings;
    this.#listed = listed;
    this.#off = new Set(settings.rulesOff);
  }

  /** In the order for the model. */
  get judged(): readonly SurveyedRule[] {
    return this.#judged;
  }

  /**
   * Decides about these files, and returns them with those that they import. Of files that changed at the time `before`
   * (milliseconds since 1970) or later, nothing is read: they are for the user's next message.
   */
  async add(
    locations: readonly RuleLocation[],
    signal: AbortSignal,
    before = Number.POSITIVE_INFINITY,
  ): Promise<readonly SurveyedRule[]> {
    const known = new Set(this.#judged);
    this.#before = before;
    for (const file of locations) await this.#add(file, signal);
    return this.#judged.filter((rule) => !known.has(rule));
  }

  /** Names files of an untrusted workspace, of which nothing is read. */
  addUntrusted(locations: readonly RuleLocation[]): void {
    for (const file of locations) this.#push(atLocation(file), "untrusted");
  }

  async #add(file: RuleLocation, signal: AbortSignal): Promise<RuleState> {
    const at = atLocation(file);
    const known = this.#byPath.get(at.path);
    // A file before this one imports it.
    if (known && known.state !== "too-deep") return known.state;
    const { kind, mode } = file;
    const isOff = this.#isOff(at);
    const by = this.#overridden.get(at.path);
    if (!isOff && by !== undefined) return this.#push(at, "overridden", { by });
    if (!isOff && (file.changedAt ?? 0) >= this.#before) return this.#push(at, "next-message");
    if (!isOff && this.#files++ >= MOST_FILES) return this.#push(at, "too-many");
    const read = await this.#read(at, kind.format);
    if (isOff) {
      const paths = "fault" in read ? at.paths : read.paths;
      return this.#push({ ...at, paths }, this.#settings.rules[at.source] ? "off" : "source-off");
    }
    if ("fault" in read) return this.#fail(at, read);
    const ownMode = mode === undefined ? undefined : OWN_MODES[mode];
    if (mode !== undefined && ownMode === undefined && mode !== this.#settings.agent)
      return this.#push(at, "other-mode", { by: mode });
    const { use, paths } = read;
    if (use.when === "by-hand") return this.#push({ ...at, paths }, "by-hand");
    const note = ownMode === undefined ? "" : `(For work in ${ownMode})\n\n`;
    const text = use.when === "described" ? describedText(file, use.description) : `${note}${read.text}`;
    const state = await this.#decide({ ...at, paths }, { body: read.text, text, use }, signal);
    if (kind.overrides !== undefined && ["applies", "same", "no-room"].includes(state))
      this.#overridden.set(join(dirname(at.path), kind.overrides), at.name);
    const isRead = state === "applies" || state === "same";
    if (isRead) await this.#followImports({ ...at, paths }, read.text, signal);
    return state;
  }

  async #decide(
    at: RuleAt,
    { body, text, use }: { body: string; text: string; use: RuleUse },
    signal: AbortSignal,
    by?: string,
  ): Promise<RuleState> {
    if (body === "") return this.#push(at, "empty", by === undefined ? {} : { by });
    // The same text under another name, such as a link from CLAUDE.md to AGENTS.md.
    const same = this.#texts.get(body);
    if (same) return this.#push(at, "same", { by: same.name, text: this.#sameText(at, same) });
    let why: Pick<SurveyedRule, "by" | "match"> = by === undefined ? {} : { by };
    if (use.when === "files" && by === undefined) {
      const match = await this.#match(at, signal);
      if (match === undefined) return this.#push(at, "no-match");
      if (match !== "") why = { match };
    }
    if (text.length > this.#room) return this.#push(at, "no-room", why);
    this.#room -= text.length;
    if (use.when === "described") return this.#push(at, "described", { text });
    this.#texts.set(body, at);
    return this.#push(at, "applies", { ...why, text });
  }

  /** What the model gets of a text that it has already: for which other files it applies. "": for no others. */
  #sameText({ paths }: RuleAt, same: Pick<Rule, "name" | "paths">): string {
    const isCovered = same.paths.length === 0 || same.paths.join("\n") === paths.join("\n");
    return isCovered ? "" : `(The same as the rules from ${same.name})`;
  }

  /** A file of the project that the patterns match; "": no file is needed; undefined: there is none. */
  async #match({ source, paths, place }: RuleAt, signal: AbortSignal): Promise<string | undefined> {
    // The user's own rules do not depend on what the project has.
    if (source === "global" || (place.prefix === "~/" && !this.#listed)) return "";
    return firstMatch(paths, (await this.#listed?.all(signal)) ?? []);
  }

  async #followImports(at: RuleAt, text: string, signal: AbortSignal): Promise<void> {
    if (!at.imports) return;
    for (const each of importsIn(text, dirname(at.path), this.#host.system.home)) {
      if (++this.#imports > MOST_IMPORTS) {
        this.#push(this.#atImport(at, each), "too-many", { by: at.name });
        return;
      }
      await this.#import(at, each, signal);
    }
  }

  async #import(importer: RuleAt, wanted: RuleImport, signal: AbortSignal): Promise<RuleState | undefined> {
    const at = this.#atImport(importer, wanted);
    const by = importer.name;
    if (this.#byPath.has(at.path) && !this.#mayReplace(at.path)) return undefined;
    if (!isInside(importer.place.folder, at.path)) {
      const why = reasonOf("outside-project", at.path);
      return (await this.#isElsewhere(wanted)) ? this.#push(at, "elsewhere", { by, why }) : undefined;
    }
    const stat = await this.#host.files.stat(at.path).catch(() => undefined);
    if (stat?.kind === "directory") return undefined;
    if (!stat) return looksLikeFile(wanted.typed) ? this.#push(at, "missing", { by }) : undefined;
    if (at.hops > MOST_HOPS) return this.#push(at, "too-deep", { by });
    if (this.#isOff(at)) return this.#push(at, "off", { by });
    if ((stat.changedAt ?? 0) >= this.#before) return this.#push(at, "next-message", { by });
    if (this.#files++ >= MOST_FILES) return this.#push(at, "too-many", { by });
    const read = await readInstructionFile(this.#host, at.path, at.place.folder);
    if ("fault" in read) {
      // It need not be a link.
      const why = read.fault === "secret" ? { why: reasonOf("secret-file", at.name) } : {};
      return this.#fail(at, { ...read, ...why }, { by });
    }
    const body = read.text.trim();
    const text = `(Imported by ${by})\n\n${body}`;
    const state = await this.#decide(at, { body, text, use: { when: "always" } }, signal, by);
    if (state === "applies") await this.#followImports(at, body, signal);
    return state;
  }

  #atImport({ source, place, paths, hops }: RuleAt, { typed, path }: RuleImport): RuleAt {
    const inside = isInside(place.folder, path);
    const name = inside ? `${place.prefix}${relative(place.folder, path).split(sep).join("/")}` : typed;
    return { source, place, paths, path, name, hops: hops + 1, imports: true };
  }

  /** A path such as `@/components/button`, which programs resolve in their own way, is none of this computer. */
  async #isElsewhere({ typed, path }: RuleImport): Promise<boolean> {
    if (!typed.startsWith("/")) return true;
    const { root } = parse(path);
    const [first = ""] = path.slice(root.length).split(sep);
    return (await this.#host.files.stat(join(root, first)).catch(() => undefined)) !== undefined;
  }

  /** Whether a file that does not apply by itself may be imported. */
  #mayReplace(path: string): boolean {
    const state = this.#byPath.get(path)?.state;
    return state === "source-off" || state === "overridden";
  }

  #isOff({ source, name, path }: RuleAt): boolean {
    const isUnseen = this.#host.unseen?.includes(path) ?? false;
    return !this.#settings.rules[source] || this.#off.has(name) || isUnseen;
  }

  async #read(
    { path, place, paths }: RuleAt,
    format: RuleLocation["kind"]["format"],
  ): Promise<RuleContent | UnusableRule> {
    const read = await readInstructionFile(this.#host, path, place.folder);
    if ("fault" in read) return read;
    const content = await readFrontMatter(read.text);
    if ("why" in content) return { fault: "front-matter", why: content.why };
    const isNested = paths.length > 0;
    const use: RuleUse = isNested ? { when: "always" } : ruleUse(format, content);
    const own = use.when === "always" ? [] : content.paths;
    return { text: content.text.trim(), use, paths: isNested ? [...paths, ...content.paths] : own };
  }

  #fail(at: RuleAt, { fault, why }: UnusableRule, more: Partial<SurveyedRule> = {}): RuleState {
    return this.#push(at, fault, { ...more, ...(why ? { why } : {}) });
  }

  #push(
    { source, name, path, paths }: RuleAt,
    state: RuleState,
    more: Partial<SurveyedRule> = {},
  ): RuleState {
    const judged: SurveyedRule = { source, name, path, paths, text: "", state, ...more };
    const replaced = this.#byPath.get(path);
    if (replaced) this.#judged.splice(this.#judged.indexOf(replaced), 1);
    this.#byPath.set(path, judged);
    this.#judged.push(judged);
    return state;
  }
}

interface RuleContent {
  text: string;
  /** Patterns of the files that it applies to. */
  paths: string[];
  use: RuleUse;
}

/** Why a rules file cannot be used. */
interface UnusableRule {
  fault: RuleFault;
  why?: Reason;
}

function atLocation({ source, name, path, place, below, kind }: RuleLocation): RuleAt {
  const paths = below === undefined ? [] : [below];
  return { source, name, path, place, paths, hops: 0, imports: kind.imports === true };
}

/** What the model gets of a file that applies if its description fits. */
function describedText({ place, path, name }: RuleLocation, description: string): string {
  const { prefix, toolPrefix } = place;
  const readable = toolPrefix === undefined ? path : `${toolPrefix}${name.slice(prefix.length)}`;
  return `(Not included here. Read ${readable} before any work that this description fits: ${description})`;
}
