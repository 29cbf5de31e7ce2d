/**
 * One review. The first pass lets the model read each part of the diff and report findings, which are placed on lines of the diff. The
 * second pass lets it try to refute them, in a conversation of its own. That is one for each file, with all findings about it: most of what
 * a check costs is the prompt, the file's diff and what is read around it, so one for each finding would cost nearly as much again for
 * each of them, and one for all files would be more than a model looks into with care.
 */
import path from "node:path";
import type { TaskEvent } from "../../../shared/event.ts";
import { type Message, toolCalls } from "../../../shared/message.ts";
import { modelNamed } from "../../../shared/models/connection.ts";
import type { ErrorView } from "../../../shared/models/request-error.ts";
import type {
  NotReviewed,
  ReviewFinding,
  ReviewProgress,
  ReviewReport,
  ReviewScope,
} from "../../../shared/review.ts";
import type { SessionAgent } from "../../../shared/session-agent.ts";
import { emptyTotals, type Totals } from "../../../shared/totals.ts";
import { outsideText } from "../../fence.ts";
import type { Rule } from "../../instructions/rule-survey.ts";
import type { RunEnd } from "../../loop/loop.ts";
import type { ToolSet } from "../../tools/set/tool-set.ts";
import type { Tool } from "../../tools/tool.ts";
import type { ScratchTaskDeps } from "../extras/scratch-task.ts";
import { mergedFindings } from "./merge-findings.ts";
import { placeFinding } from "./place-finding.ts";
import { type ReviewChanges, type ReviewedFile, reviewChanges } from "./review-changes.ts";
import type { ReviewCore } from "./review-core.ts";
import { partsOfReview } from "./review-parts.ts";
import {
  checkMessage,
  NO_QUESTIONS_IN_REVIEW,
  placementReply,
  REPORT_NOW,
  REVIEWER_AGENT,
  reviewMessage,
  SKEPTIC_AGENT,
} from "./review-prompts.ts";
import { type ReportedFinding, reportFindingsTool, reportVerdictsTool, verdictsOf } from "./review-tools.ts";

/** The file with instructions for reviews alone, at the top of the project. */
const REVIEW_FILE = "REVIEW.md";
/** Of a finding whose model states none. */
const UNKNOWN_CONFIDENCE = 0.5;
/** Characters of a title. */
const TITLE_LENGTH = 200;

export interface ReviewRunDeps extends Omit<ScratchTaskDeps, "registry" | "publish" | "rejection" | "today"> {
  core: ReviewCore;
  /** The tools of the project; a review has those that only read. */
  registry: Pick<ToolSet, "tools">;
  /** What requests cost today, without this review. Default: not known. */
  today?(): Promise<{ cost: number; requests: number }>;
}

export interface ReviewRequest {
  scope: ReviewScope;
  /** `connection/id` of the model. */
  model: string;
  /** USD that count for the cost limit already. */
  spentBefore: number;
}

/** What a conversation of a review ended with. */
type TaskEnd = { how: "done"; params: unknown } | { how: "limit" | "no-answer" | "failed" };

export class ReviewRun {
  readonly #deps: ReviewRunDeps;
  readonly #request: ReviewRequest;
  readonly #signal: AbortSignal;
  readonly #onProgress: (progress: ReviewProgress) => void;
  /** By conversation. */
  readonly #spent = new Map<string, Totals>();
  readonly #dropped = { unplaced: 0, refuted: 0, repeated: 0 };
  #ended: ReviewReport["ended"] = "done";
  #reviewed: Pick<ReviewChanges, "root" | "prefix"> | undefined;
  #error: ErrorView | undefined;

  constructor(
    deps: ReviewRunDeps,
    request: ReviewRequest,
    { signal, onProgress }: { signal: AbortSignal; onProgress(progress: ReviewProgress): void },
  ) {
    this.#deps = deps;
    this.#request = request;
    this.#signal = signal;
    this.#onProgress = onProgress;
  }

  /** What it has cost so far, also if it was canceled. */
  get spent(): Totals[] {
    return [...this.#spent.values()];
  }

  /** The absolute path of a file of the report. */
  fileOf(named: string): string {
    const { root, prefix } = this.#reviewed ?? { root: "", prefix: "" };
    return path.join(root, named.slice(prefix.length));
  }

  /** Rejects with ReviewFailure, ReviewRequestFailure or ToolError, or with Interrupt when the signal aborts. */
  async run(): Promise<ReviewReport> {
    const { core, host, keys, settings } = this.#deps;
    const judge = new core.Judge(host, settings);
    const unreadable = (file: string) => judge.unreadable(file);
    const mask = await keys.current();
    const changes = await reviewChanges({ core, host, unreadable, mask }, this.#request.scope, this.#signal);
    this.#reviewed = changes;
    const instructions = new ReviewInstructions(this.#deps, changes, this.#signal);
    await instructions.read();
    const notReviewed = [...changes.notReviewed];
    const found = await this.#review(changes, instructions, notReviewed);
    const merged = mergedFindings(found);
    this.#dropped.repeated += found.length - merged.length;
    const findings = await this.#check(changes, instructions, merged);
    const left = new Set(notReviewed.map((file) => file.path));
    const totals = this.spent;
    const sum = (name: "requests" | "inputTokens" | "outputTokens") =>
      totals.reduce((all, each) => all + each[name], 0);
    const { compared, folder } = changes;
    return {
      version: 1,
      compared,
      folder,
      findings,
      reviewed: changes.files.flatMap((file) => (left.has(file.path) ? [] : [file.path])),
      notReviewed,
      dropped: this.#dropped,
      ended: this.#ended,
      requests: sum("requests"),
      inputTokens: sum("inputTokens"),
      outputTokens: sum("outputTokens"),
      cost: totals.some(({ cost }) => cost !== undefined) ? this.#cost : null,
    };
  }

  get #cost(): number {
    return this.spent.reduce((sum, { cost = 0 }) => sum + cost, 0);
  }

  /** The first pass. Files whose part has no answer are added to `notReviewed`. */
  async #review(
    { files, root, prefix }: ReviewChanges,
    instructions: ReviewInstructions,
    notReviewed: ReviewReport["notReviewed"],
  ): Promise<ReviewFinding[]> {
    const { settings, profiles } = this.#deps;
    const profile = profiles.of(modelNamed(this.#request.model, settings()));
    const parts = partsOfReview(files, profile.window(settings().provider.contextWindow));
    const names = files.map((file) => file.path);
    const found: ReviewFinding[] = [];
    for (const [index, part] of parts.entries()) {
      const paths = part.map((file) => file.path);
      let how: TaskEnd["how"] = this.#ended === "done" ? "done" : this.#ended;
      if (how === "done") {
        this.#onProgress({ step: "reviewing", files: paths, done: index, all: parts.length });
        const collected = new CollectedFindings(files, { root, prefix });
        const text = reviewMessage({ files: part, instructions: instructions.of(paths), names });
        const tool = reportFindingsTool(this.#deps.core, (findings) => collected.take(findings));
        how = (await this.#ask(REVIEWER_AGENT, text, tool)).how;
        found.push(...collected.placed);
        this.#dropped.unplaced += collected.unplaced;
        if (how === "limit" || how === "failed") this.#ended = how;
      }
      if (how === "done") continue;
      if (index === 0) this.#failBeforeTheFirst(how);
      const why: NotReviewed = how;
      for (const each of new Set(paths))
        if (!notReviewed.some((file) => file.path === each)) notReviewed.push({ path: each, why });
    }
    return found;
  }

  /** Nothing was reviewed, so there is no report. */
  #failBeforeTheFirst(how: Exclude<TaskEnd["how"], "done">): void {
    const { core } = this.#deps;
    if (how === "limit") throw new core.ReviewFailure("limit");
    if (how === "failed" && this.#error) throw new core.ReviewRequestFailure(this.#error);
  }

  /** The second pass: the findings that it did not refute. Those that it did not reach stay, as not verified. */
  async #check(
    { files }: ReviewChanges,
    instructions: ReviewInstructions,
    findings: readonly ReviewFinding[],
  ): Promise<ReviewFinding[]> {
    const { settings, profiles } = this.#deps;
    const profile = profiles.of(modelNamed(this.#request.model, settings()));
    const window = profile.window(settings().provider.contextWindow);
    const checks = files.flatMap((file) => {
      const own = findings.filter((finding) => finding.path === file.path);
      if (own.length === 0) return [];
      const pieces = partsOfReview([file], window).flat();
      return pieces.map((piece) => ({ piece, about: own.filter((finding) => shows(piece, finding)) }));
    });
    const needed = checks.filter(({ about }) => about.length > 0);
    const verdicts = new Map<ReviewFinding, boolean>();
    for (const [index, { piece, about }] of needed.entries()) {
      const open = about.filter((finding) => !verdicts.has(finding));
      if (open.length === 0 || this.#ended !== "done") continue;
      this.#onProgress({ step: "checking", files: [piece.path], done: index, all: needed.length });
      const text = checkMessage(piece, open, instructions.of([piece.path]));
      const end = await this.#ask(SKEPTIC_AGENT, text, reportVerdictsTool(this.#deps.core));
      if (end.how === "limit" || end.how === "failed") this.#ended = end.how;
      if (end.how !== "done") continue;
      for (const { finding, holds } of verdictsOf(end.params) ?? []) {
        const named = open[finding - 1];
        if (named) verdicts.set(named, holds);
      }
    }
    const kept = findings.filter((finding) => verdicts.get(finding) !== false);
    this.#dropped.refuted += findings.length - kept.length;
    return kept.map((finding) => ({ ...finding, verified: verdicts.get(finding) === true }));
  }

  /** Lets the model read and report with this tool. A model that answers in words is asked for the call once. */
  async #ask(agent: SessionAgent, text: string, tool: Tool): Promise<TaskEnd> {
    const { core, host, settings, today } = this.#deps;
    core.throwIfAborted(this.#signal);
    const { maxCost, maxRequests } = settings().approval;
    const used = this.spent.reduce((sum, { requests }) => sum + requests, 0);
    if (maxRequests > 0 && used >= maxRequests) return { how: "limit" };
    // A task always makes its first request.
    if (maxCost > 0 && this.#request.spentBefore + this.#cost >= maxCost) return { how: "limit" };
    const reading = this.#deps.registry.tools.filter(
      ({ access, origin, turnEnd }) => access === "read" && origin !== "server" && turnEnd === undefined,
    );
    const registry = new core.ToolRegistry([...reading, tool]);
    const id = host.newId();
    const { observer } = this.#deps.profiles;
    const before = { cost: this.#cost, requests: used };
    const mask = await this.#deps.keys.current();
    const task = new core.ScratchTask(
      {
        ...this.#deps,
        settings: () => this.#remaining(before),
        registry,
        rejection: NO_QUESTIONS_IN_REVIEW,
        publish: (event) => {
          observer?.event(event);
          this.#handle(id, event);
        },
        ...(today ? { today: async () => plus(await today(), before) } : {}),
      },
      // It has no tool that changes anything, so what plan mode tells models does not concern it.
      { id, mode: "act", agent, model: this.#request.model, scratch: [this.#message(mask(text))] },
    );
    let end: RunEnd;
    try {
      end = await task.run(this.#signal);
      if (end.type === "replied") {
        await task.transcript.append(this.#message(REPORT_NOW(tool.name)));
        end = await task.run(this.#signal);
      }
    } finally {
      observer?.event({ type: "status", status: "idle", session: id });
    }
    core.throwIfAborted(this.#signal);
    if (end.type === "stopped") throw new core.Interrupt();
    return endOfTask(end, () => {
      const last = task.transcript.messages.at(-1);
      const call = last && toolCalls(last).find(({ name }) => name === tool.name);
      const resolved = call && registry.resolve(call);
      return resolved?.ok ? resolved.params : undefined;
    });
  }

  /** The settings with what remains of the limits. */
  #remaining({ cost, requests }: { cost: number; requests: number }): ReturnType<ReviewRunDeps["settings"]> {
    const settings = this.#deps.core.withRemainingCost(
      this.#deps.settings(),
      this.#request.spentBefore + cost,
    );
    const { maxRequests } = settings.approval;
    if (maxRequests === 0) return settings;
    return {
      ...settings,
      approval: { ...settings.approval, maxRequests: Math.max(1, maxRequests - requests) },
    };
  }

  #handle(id: string, event: TaskEvent): void {
    if (event.type === "totals") this.#spent.set(id, event.totals);
    if (event.type === "error") this.#error = event.error;
  }

  #message(text: string): Message {
    const { host } = this.#deps;
    return {
      id: host.newId(),
      role: "user",
      createdAt: host.clock.now().toISOString(),
      blocks: [{ type: "text", text }],
    };
  }
}

function endOfTask({ type }: RunEnd, paramsOf: () => unknown): TaskEnd {
  switch (type) {
    case "completed": {
      const params = paramsOf();
      return params === undefined ? { how: "no-answer" } : { how: "done", params };
    }
    case "limit":
    case "failed":
      return { how: type };
    case "stopped":
    case "asked":
    case "planned":
    case "replied":
    case "handed-over":
      return { how: "no-answer" };
  }
}

function plus(
  a: { cost: number; requests: number },
  b: { cost: number; requests: number },
): { cost: number; requests: number } {
  return { cost: a.cost + b.cost, requests: a.requests + b.requests };
}

/** Whether the piece has the first line of the finding. */
function shows({ hunks }: ReviewedFile, { side, startLine }: ReviewFinding): boolean {
  return hunks.some((hunk) =>
    hunk.some((line) => (side === "new" ? line.new : line.kind === "removed" ? line.old : 0) === startLine),
  );
}

/** The findings of one part. The model may correct once what cannot be placed. */
class CollectedFindings {
  readonly placed: ReviewFinding[] = [];
  unplaced = 0;
  readonly #files: readonly ReviewedFile[];
  readonly #place: Pick<ReviewChanges, "root" | "prefix">;
  #isCorrected = false;

  constructor(files: readonly ReviewedFile[], place: Pick<ReviewChanges, "root" | "prefix">) {
    this.#files = files;
    this.#place = place;
  }

  /** What the model reads; undefined: the findings are taken. */
  take(findings: readonly ReportedFinding[]): string | undefined {
    const problems: { finding: ReportedFinding; problem: string }[] = [];
    for (const finding of findings) {
      const placed = this.#placed(finding);
      if (typeof placed === "string") problems.push({ finding, problem: placed });
      else if (!this.placed.some((other) => isEqual(other, placed))) this.placed.push(placed);
    }
    if (problems.length === 0 || this.#isCorrected) {
      this.unplaced = problems.length;
      return undefined;
    }
    this.#isCorrected = true;
    this.unplaced = problems.length;
    return placementReply(problems);
  }

  #placed(finding: ReportedFinding): ReviewFinding | string {
    const file = this.#fileOf(finding.path);
    if (!file) return "the diff has no such file";
    const { severity, start_line: startLine, side = "new", line_text: lineText } = finding;
    const endLine = Math.max(startLine, finding.end_line ?? startLine);
    const placed = placeFinding(file.hunks, { side, startLine, endLine, lineText, severity });
    if (typeof placed === "string") return placed;
    const suggestion = finding.suggestion?.trim() ?? "";
    return {
      path: file.path,
      ...placed,
      severity,
      title: finding.title.replace(/\s+/g, " ").trim().slice(0, TITLE_LENGTH),
      body: finding.body.trim(),
      ...(suggestion === "" ? {} : { suggestion }),
      confidence: finding.confidence ?? UNKNOWN_CONFIDENCE,
      verified: false,
    };
  }

  #fileOf(named: string): ReviewedFile | undefined {
    const { root, prefix } = this.#place;
    const plain = (text: string) => text.normalize("NFC");
    const slashes = path.isAbsolute(named.trim()) ? path.relative(root, named.trim()) : named.trim();
    const written = plain(slashes.replaceAll("\\", "/").replace(/^\.\//, ""));
    const own = [written, plain(prefix) + written];
    const find = (name: string) => this.#files.find((file) => plain(file.path) === name);
    return (
      find(own[0] ?? "") ??
      find(own[1] ?? "") ??
      (/^[ab]\//.test(written) ? find(written.slice(2)) : undefined)
    );
  }
}

function isEqual(a: ReviewFinding, b: ReviewFinding): boolean {
  return a.path === b.path && a.side === b.side && a.startLine === b.startLine && a.title === b.title;
}

/** REVIEW.md, and the rules of the folders that the changed files are in. Other rules are part of the prompt. */
class ReviewInstructions {
  readonly #deps: ReviewRunDeps;
  readonly #changes: ReviewChanges;
  readonly #signal: AbortSignal;
  #own = "";
  #nested: readonly Rule[] = [];

  constructor(deps: ReviewRunDeps, changes: ReviewChanges, signal: AbortSignal) {
    this.#deps = deps;
    this.#changes = changes;
    this.#signal = signal;
  }

  async read(): Promise<void> {
    const { core, host, settings } = this.#deps;
    const { root, prefix, files } = this.#changes;
    const file = await core.readInstructionFile(host, path.join(root, REVIEW_FILE), root);
    if ("text" in file) this.#own = file.text.trim();
    const { context } = settings();
    const { survey } = await core.readRules(host, context, this.#signal);
    const folders = new Set(
      files.flatMap(
        (each) => core.foldersDownTo(path.join(root, each.path.slice(prefix.length)), host.workspace).folders,
      ),
    );
    const located = await core.findNestedRules(host, [...folders], (source) => context.rules[source]);
    this.#nested = core.rulesIn(await survey.add(located, this.#signal));
  }

  /** For the model; "": there are none for these files. */
  of(paths: readonly string[]): string {
    const { core } = this.#deps;
    const nested = this.#nested.filter(({ paths: patterns }) => core.concerns(patterns, paths));
    return [
      this.#own === ""
        ? ""
        : `<review_instructions file="${REVIEW_FILE}">\n${outsideText(this.#own, "review_instructions")}\n</review_instructions>`,
      nested.length === 0 ? "" : core.nestedRulesText(nested),
    ]
      .filter((text) => text !== "")
      .join("\n\n");
  }
}

/** What a review cost in all. */
export function costOfReview(spent: readonly Totals[]): { cost: number; requests: number } {
  return spent.reduce<{ cost: number; requests: number }>(
    (sum, { cost = 0, requests }) => plus(sum, { cost, requests }),
    { cost: 0, requests: emptyTotals.requests },
  );
}
