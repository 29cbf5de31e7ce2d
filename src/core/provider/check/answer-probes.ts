/** Whether a model answers, how it streams and counts, and whether it follows instructions. */
import type { Finding } from "../../../shared/models/check.ts";
import { type Asker, absent, fault, good, type ProbeAnswer, refused, roughTokens } from "./asker.ts";
import { askRaw } from "./raw-chat.ts";

/** Milliseconds after which an answer begins late. */
const SLOW_MS = 20_000;
/** An answer that arrives all at once after at least this time was held back until it was complete. */
const HELD_MS = 1_000;
const HELD_SHARE = 0.05;
/** How far a count may be from the estimate. */
const MISCOUNT = 3;

/** Instructions whose length is known, to compare with the endpoint's count. */
const INSTRUCTIONS = Array.from(
  { length: 40 },
  (_, index) => `Rule ${index + 1}: be brief, be polite, and answer in the language of the question.`,
).join("\n");

/** Sends the first request, on which everything else depends. Returns the findings of all probes that its answer decides. */
export async function probeAnswer(asker: Asker): Promise<Finding[]> {
  const answer = await asker.ask({
    system: INSTRUCTIONS,
    messages: [asker.user("Reply with the single word PONG and nothing else.")],
  });
  const { error, text, firstMs, finish, usage } = answer;
  if (error)
    return [error.view.code === "empty-response" ? fault("answer", "empty") : refused("answer", error)];
  if (text.trim() === "") return [fault("answer", "empty")];
  return [
    /PONG/i.test(text) ? good("answer") : fault("answer", "wrong-answer"),
    firstMs > SLOW_MS ? fault("first-token", "slow", firstMs) : good("first-token", "took", firstMs),
    finish === undefined ? absent("finish", "no-finish") : good("finish"),
    ...(usage
      ? [good("stream-usage"), countOf(Math.max(usage.inputTokens, usage.cachedTokens ?? 0))]
      : [absent("stream-usage", "no-usage")]),
  ];
}

function countOf(counted: number): Finding {
  const expected = roughTokens(INSTRUCTIONS);
  const isWrong = counted < expected / MISCOUNT || counted > expected * MISCOUNT;
  return isWrong ? fault("usage-count", "miscounted", counted, expected) : good("usage-count");
}

export async function probeStreaming(asker: Asker): Promise<Finding[]> {
  const answer = await asker.ask({
    messages: [asker.user("Count from 1 to 60 in digits, separated by spaces. Write nothing else.")],
  });
  if (answer.error) return [refused("streaming", answer.error)];
  return [streamed(answer), ...speedOf(answer)];
}

function streamed({ textParts, totalMs, firstTextMs }: ProbeAnswer): Finding {
  if (textParts < 3) return fault("streaming", "not-streamed");
  const isHeld = totalMs >= HELD_MS && totalMs - firstTextMs < HELD_SHARE * totalMs;
  return isHeld ? fault("streaming", "buffered") : good("streaming");
}

function speedOf({ text, usage, totalMs, firstTextMs }: ProbeAnswer): Finding[] {
  const seconds = Math.max(1, totalMs - (firstTextMs < totalMs * 0.9 ? firstTextMs : 0)) / 1_000;
  const tokens = usage?.outputTokens ?? roughTokens(text);
  return [good("speed", "per-second", Math.round(tokens / seconds))];
}

/** Requests that only chat completions have: without streaming, and with a stop sequence. */
export async function probeWhole(asker: Asker, signal: AbortSignal): Promise<Finding[]> {
  const answer = await askRaw(
    asker.endpoint(),
    [{ role: "user", content: "Count from 1 to 9 in digits, separated by spaces. Write nothing else." }],
    { stop: ["5"] },
    signal,
  );
  if ("error" in answer) return [refused("stop", answer.error, "absent")];
  const { text, usage } = answer;
  return [
    /[6-9]/.test(text) ? absent("stop", "ignored") : good("stop"),
    usage ? good("whole-usage") : absent("whole-usage", "no-usage"),
  ];
}

const FEW_TOKENS = 16;
/** Characters that no answer of so few tokens has. */
const MANY_CHARACTERS = 240;

export async function probeOutputLimit(asker: Asker): Promise<Finding> {
  const { text, error } = await asker.ask({
    messages: [asker.user("Count from 1 to 200 in digits, separated by spaces. Write nothing else.")],
    maxTokens: FEW_TOKENS,
  });
  // An answer is empty if all of its tokens went into reasoning.
  if (error && error.view.code !== "empty-response") return refused("output-limit", error, "absent");
  return text.length > MANY_CHARACTERS ? absent("output-limit", "ignored") : good("output-limit");
}

export async function probeSystem(asker: Asker): Promise<Finding> {
  const { text, error } = await asker.ask({
    system: "Whatever the user writes, reply with the single word KIWI and nothing else.",
    messages: [asker.user("Hello! How are you today?")],
  });
  if (error) return refused("system", error);
  return /KIWI/i.test(text) ? good("system") : fault("system", "ignored");
}

export async function probeHistory(asker: Asker): Promise<Finding> {
  const { text, error } = await asker.ask({
    messages: [
      asker.user("My code word is TANGO-7421. Reply with OK."),
      asker.assistant("OK"),
      asker.user("What is my code word? Reply with the code word alone."),
    ],
  });
  if (error) return refused("history", error);
  return text.includes("7421") ? good("history") : fault("history", "ignored");
}

export async function probeUnicode(asker: Asker): Promise<Finding> {
  const { text, error } = await asker.ask({
    messages: [asker.user("Repeat these characters exactly and write nothing else: 猫 é 🐈")],
  });
  if (error) return refused("unicode", error);
  return ["猫", "é", "🐈"].every((each) => text.normalize("NFC").includes(each))
    ? good("unicode")
    : fault("unicode", "garbled");
}
