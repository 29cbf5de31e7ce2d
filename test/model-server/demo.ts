import type { Conversation } from "./conversation.ts";
import { editTopic } from "./demo/edit.ts";
import { helpTopic } from "./demo/help.ts";
import { richTopic } from "./demo/rich.ts";
import { call, finish, say, sceneOf, type Topic } from "./demo/scene.ts";
import { askTopic, commandTopic, longTopic, markdownTopic, workspaceTopic } from "./demo/talk.ts";
import { todoTopic } from "./demo/todo.ts";
import { tourTopic } from "./demo/tour.ts";
import type { ScriptPart, ScriptTurn } from "./script.ts";

/** Tried in this order; the last one accepts everything. */
const TOPICS: readonly Topic[] = [
  editTopic,
  todoTopic,
  tourTopic,
  richTopic,
  markdownTopic,
  longTopic,
  askTopic,
  commandTopic,
  workspaceTopic,
  helpTopic,
];

const GO_ON =
  /^\s*$|^\s*(yes|ok(ay)?|go|continue|proceed|please|do it|sure|はい|続けて|進めて|お願い|実行して|いいね|では)/i;
const MODE_CHANGE = /\b(act|plan)\s*mode\b|(act|plan|アクト|プラン)\s*モード/i;

const PACE = { chunkSize: 12, pace: 15 };

/** The model of `npm start`: answers any conversation, in the user's language. */
export function demo(conversation: Conversation): ScriptTurn {
  const { toolResults, lastAssistant } = conversation;
  const { topic, text, since } = wishOf(conversation);
  const scene = sceneOf(conversation, text, since);
  const summary = summaryOf(conversation);
  if (summary !== undefined) return { ...PACE, answer: summary };

  const latest = toolResults.filter((result) => result.message > Math.max(lastAssistant, since));
  if (latest.some((result) => /^(attempt_completion|plan_mode_respond)$/.test(result.tool))) {
    return {
      ...PACE,
      answer: [{ text: say(scene, "I am ready for the next wish.", "次のご依頼をどうぞ。") }],
    };
  }
  // Ends the task when a host keeps refusing.
  if (scene.results.length > 24) {
    return {
      ...PACE,
      answer: finish(
        scene,
        say(scene, "I stop here: this leads nowhere.", "先に進めないので、ここで止めます。"),
      ),
    };
  }
  const answer =
    scene.planning && topic.plan !== undefined ? finish(scene, topic.plan(scene)) : topic.act(scene);
  return { ...PACE, ...(sizeOf(answer) > 1500 ? { chunkSize: 48 } : {}), answer };
}

interface Wish {
  topic: Topic;
  text: string;
  /** Index of the message after which results belong to it. */
  since: number;
}

/** The user's current request. "Go on", a mode change and a comment on a result refer to the previous request. */
function wishOf({ said, toolResults, lastUser }: Conversation): Wish {
  const last = said.at(-1) ?? { text: lastUser, message: -1 };
  const answer = toolResults.findLast((result) => result.tool === "ask_followup_question");
  if (answer !== undefined && answer.message > last.message) {
    return { topic: topicOf(answer.text), text: answer.text, since: answer.message };
  }
  const topic = topicOf(last.text);
  const wish = { topic, text: last.text, since: last.message };
  const isComment = toolResults.some(
    (result) => result.message === last.message && result.tool !== "ask_followup_question",
  );
  if (!MODE_CHANGE.test(last.text) && (topic !== helpTopic || !(GO_ON.test(last.text) || isComment)))
    return wish;
  const before = said.slice(0, -1).findLast(({ text }) => topicOf(text) !== helpTopic);
  if (before === undefined) return wish;
  // A comment keeps the steps taken so far; "go on" starts over.
  const since = isComment ? before.message : last.message;
  return { topic: topicOf(before.text), text: before.text, since };
}

function topicOf(text: string): Topic {
  return TOPICS.find((topic) => topic.wants(text)) ?? helpTopic;
}

/** Answers a request to summarize the conversation, which hosts send when the context window fills. */
function summaryOf(conversation: Conversation): ScriptPart[] | undefined {
  const { lastUser, said, request } = conversation;
  const condense = /\bcondense\b/.test(lastUser);
  if (!condense && (request === 1 || !/\bsummar(y|i[sz]e)\b|要約/i.test(lastUser))) return undefined;
  const wishes = said.map(({ text }) => `- ${text.replace(/\s+/g, " ").slice(0, 200)}`);
  const text = `## Summary\n\nThe user said, in this order:\n\n${wishes.join("\n")}`;
  if (!condense) return [{ text }];
  return call(sceneOf(conversation, lastUser, -1), "condense", { context: text }, text);
}

function sizeOf(answer: readonly ScriptPart[]): number {
  return JSON.stringify(answer).length;
}
