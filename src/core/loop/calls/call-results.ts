/** Appends the results of calls. Each method resolves when the result is on disk. */
import type { ResultPart, ShownResult, ToolCallBlock } from "../../../shared/message.ts";
import type { SessionSettings } from "../../../shared/permission/session-permission.ts";
import type { Reason } from "../../../shared/reason.ts";
import { isServerReason } from "../../../shared/words/reasons/mcp-reasons.ts";
import { messageOf, ToolError } from "../../errors.ts";
import { imageSize } from "../../image-facts.ts";
import type { Host } from "../../ports/host.ts";
import * as replies from "../../prompts/replies.ts";
import { failureOf, ServerError } from "../../servers/server-error.ts";
import { boundParts } from "../../tools/bound.ts";
import type { ToolSet } from "../../tools/set/tool-set.ts";
import type { Tool, ToolOutput } from "../../tools/tool.ts";
import type { Limits } from "../limits/limits.ts";
import { closedResult, resultMessage } from "../results.ts";
import type { Transcript } from "../transcript.ts";
import type { Approvals } from "./approvals.ts";

/** Milliseconds of waiting for the user below which nothing is stored. */
const MIN_STORED_WAIT_MS = 1_000;

export interface CallResultsDeps {
  host: Host;
  settings(): SessionSettings;
  registry: ToolSet;
  conversation: Transcript;
  limits: Limits;
  approvals: Approvals;
}

export class CallResults {
  readonly #deps: CallResultsDeps;

  constructor(deps: CallResultsDeps) {
    this.#deps = deps;
  }

  async ran(call: ToolCallBlock, output: ToolOutput): Promise<void> {
    const { host, registry, conversation } = this.#deps;
    const { failed, parts, pictures, removed, spent } = output;
    const outcome = output.outcome ?? (failed ? "failed" : "done");
    const shown = this.#withWait(call, describePictures(output));
    const more = { ...(removed ? { removed } : {}), ...(pictures ? { pictures } : {}) };
    await conversation.append(
      resultMessage(host, registry, call, outcome, this.#bounded(parts), shown, more),
      spent,
      true,
    );
  }

  /** The user rejected the call. */
  async rejected(call: ToolCallBlock, comment: string | undefined): Promise<void> {
    const { host, registry, conversation } = this.#deps;
    const parts = [{ type: "text" as const, text: replies.rejected(comment) }];
    const shown = this.#withWait(call, comment === undefined ? {} : { comment });
    await conversation.append(resultMessage(host, registry, call, "rejected", parts, shown));
  }

  /** The settings deny the call. */
  denied(call: ToolCallBlock, reason: Reason): Promise<void> {
    return this.failed(call, replies.denied(reason), { reason });
  }

  /**
   * A ToolError is worded for the model; any other error is an internal or system error and is logged too. `note`: what else the model
   * has to read.
   */
  threw(call: ToolCallBlock, error: unknown, more: ShownResult = {}, note = ""): Promise<void> {
    if (!(error instanceof ToolError)) this.#deps.host.log.error("a tool failed", error);
    const shown = { ...serverFailure(error), ...more };
    const text = note === "" ? messageOf(error) : `${messageOf(error)}\n\n${note}`;
    return this.failed(call, text, {
      shown,
      origin: originOf(this.#deps.registry.find(call.name)),
    });
  }

  /** The call failed; counts as a mistake of the model. */
  async failed(
    call: ToolCallBlock,
    error: string,
    {
      outcome = "failed",
      reason,
      shown: more = {},
      origin,
    }: { outcome?: "failed" | "not-run"; reason?: Reason; shown?: ShownResult; origin?: Origin } = {},
  ): Promise<void> {
    const { host, registry, conversation, limits } = this.#deps;
    limits.failed(call, error);
    const parts = this.#bounded([{ type: "text", text: error, ...(origin ? { origin } : {}) }]);
    const shown = this.#withWait(call, { text: error, ...(reason ? { reason } : {}), ...more });
    await conversation.append(resultMessage(host, registry, call, outcome, parts, shown));
  }

  /** The call will not run. */
  async closed(call: ToolCallBlock, why: "rejected-before" | "turn-over"): Promise<void> {
    const { host, registry, conversation } = this.#deps;
    await conversation.append(closedResult(host, registry, call, why));
  }

  #withWait<T extends ShownResult | undefined>(call: ToolCallBlock, shown: T): T | ShownResult {
    const waitedMs = this.#deps.approvals.takeWaited(call.id);
    return waitedMs < MIN_STORED_WAIT_MS ? shown : { ...shown, waitedMs };
  }

  #bounded(parts: ToolOutput["parts"]): ToolOutput["parts"] {
    return boundParts(parts, this.#deps.settings().context.maxResultCharacters);
  }
}

/**
 * `shown` with an entry for each image of the result, in order, so that the row requests their bytes only when it is on screen. What
 * the tool itself states about an image takes precedence.
 */
function describePictures({ parts, pictures: own = [], shown }: ToolOutput): ShownResult | undefined {
  const images = [...parts.filter((part) => part.type === "image"), ...own];
  if (images.length === 0) return shown;
  const pictures = images.map(({ data }, index) => ({ ...imageSize(data), ...shown?.pictures?.[index] }));
  return { ...shown, pictures };
}

type Origin = NonNullable<Extract<ResultPart, { type: "text" }>["origin"]>;

/** Marks the text of a result as data from outside, which neither Nekode nor the user wrote. */
export function fromOutside(output: ToolOutput, tool: Tool): ToolOutput {
  const origin = originOf(tool);
  return {
    ...output,
    parts: output.parts.map((part) => (part.type === "text" ? { ...part, origin } : part)),
  };
}

function originOf(tool: Tool | undefined): Origin {
  return tool?.access === "mcp" || tool?.access === "web" ? "remote" : "local";
}

/** What the row shows of an error of an MCP server: the reason in the user's language, and what the server printed. */
function serverFailure(error: unknown): ShownResult {
  if (!(error instanceof ToolError) || error.fault === undefined) return {};
  const { reason, output } = failureOf(error);
  if (!(error instanceof ServerError || isServerReason(reason.code))) return {};
  return { fault: reason, ...(output === undefined ? {} : { output }) };
}
