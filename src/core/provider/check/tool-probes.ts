/** Whether a model calls tools: natively, with valid arguments, several at once, with results, and as text. */
import type { Finding } from "../../../shared/models/check.ts";
import type { Api } from "../api.ts";
import type { NativeTool } from "../provider.ts";
import {
  type Asker,
  absent,
  argumentsOf,
  fault,
  good,
  type ProbeAnswer,
  type ProbeCall,
  refused,
  skipped,
} from "./asker.ts";

const ITEMS = ["apple", "pear", "plum"];

const PRICE_TOOL: NativeTool = {
  name: "lookup_price",
  description: "Returns the price of an item in the shop. Prices are known from this tool alone.",
  parameters: {
    type: "object",
    properties: {
      item: { type: "string", enum: ITEMS, description: "The item" },
      quantity: { type: "integer", description: "How many" },
    },
    required: ["item", "quantity"],
    additionalProperties: false,
  },
};

export interface ToolFindings {
  findings: Finding[];
  /** Native calls work. */
  native: boolean;
}

export async function probeCalls(asker: Asker, api: Api): Promise<ToolFindings> {
  const question = asker.user("How much are 3 apples? Look it up with the tool.");
  const answer = await asker.ask({ messages: [question], tools: [PRICE_TOOL] });
  const call = answer.calls.find(({ name }) => name === PRICE_TOOL.name);
  if (!call) {
    const rest = (["call-ids", "call-json", "call-schema", "call-parallel", "call-result"] as const).map(
      (probe) => skipped(probe),
    );
    return { findings: [withoutCall(answer, api), ...rest], native: false };
  }
  const several = await asker.ask({
    messages: [
      asker.user("Look up the price of 1 pear, and the price of 2 plums. Call the tool for both at once."),
    ],
    tools: [PRICE_TOOL],
  });
  const calls = [...answer.calls, ...several.calls];
  const args = argumentsOf(call.arguments);
  const findings = [
    good("call"),
    hasIds(answer.calls) && hasIds(several.calls) ? good("call-ids") : fault("call-ids", "no-ids"),
    calls.every((each) => argumentsOf(each.arguments)) ? good("call-json") : fault("call-json", "bad-json"),
    args ? schemaOf(args) : skipped("call-schema"),
    several.calls.length > 1 ? good("call-parallel") : absent("call-parallel", "one-call"),
  ];
  const result = await probeResult(asker, question, { ...call, id: call.id || "call_1" });
  return {
    findings: [...findings, result],
    native: findings[2]?.state === "good" && result.state === "good",
  };
}

function withoutCall({ error }: ProbeAnswer, api: Api): Finding {
  if (!error) return absent("call", "no-calls");
  return refused("call", error, api.refusesTools(error) ? "absent" : "fault");
}

function hasIds(calls: readonly ProbeCall[]): boolean {
  const ids = calls.map(({ id }) => id);
  return ids.every((id) => id !== "") && new Set(ids).size === ids.length;
}

function schemaOf({ item, quantity, ...more }: Record<string, unknown>): Finding {
  const fits =
    ITEMS.some((each) => each === item) && Number.isInteger(quantity) && Object.keys(more).length === 0;
  return fits ? good("call-schema") : fault("call-schema", "bad-schema");
}

async function probeResult(
  asker: Asker,
  question: ReturnType<Asker["user"]>,
  call: ProbeCall,
): Promise<Finding> {
  const { text, error } = await asker.ask({
    messages: [question, asker.assistant("", [call]), asker.result(call, "The price is 4711 yen in total.")],
    tools: [PRICE_TOOL],
  });
  if (error) return refused("call-result", error);
  return /4[,.]?711/.test(text) ? good("call-result") : fault("call-result", "ignored");
}

const XML_SYSTEM = `You have one tool. To call it, write exactly this form, with values in place of the words in capitals:

<lookup_price>
<item>ITEM</item>
<quantity>NUMBER</quantity>
</lookup_price>

It returns the price of an item in the shop. Call it whenever the user asks for a price.`;

/** `native`: native calls work, so that calls as text are not needed. */
export async function probeXml(asker: Asker, native: boolean): Promise<Finding> {
  const { text, error } = await asker.ask({
    system: XML_SYSTEM,
    messages: [asker.user("How much are 3 apples?")],
    protocol: "xml",
  });
  if (error) return refused("xml", error, native ? "absent" : "fault");
  const isCall =
    /<lookup_price>\s*<item>\s*apples?\s*<\/item>\s*<quantity>\s*3\s*<\/quantity>\s*<\/lookup_price>/i;
  if (isCall.test(text)) return good("xml");
  return native ? absent("xml", "no-calls") : fault("xml", "no-calls");
}
