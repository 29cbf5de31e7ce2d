/** What users learn of a session whose panel they do not see. */
import { beforeEach, expect, it } from "vitest";
import { soundPlayer } from "../../../src/node/system-sound.ts";
import type { EventBody } from "../../../src/shared/event.ts";
import { applyEvent, type ChatView } from "../../../src/shared/view/reducer.ts";
import { translator } from "../../../src/shared/words/task-words.ts";
import { attentionText, WaitingState } from "../../../src/vscode/attention/waiting-state.ts";
import { ofSession } from "../../support/events.ts";
import { viewWithPresentations } from "../../support/presentations.ts";

const t = translator({});
let view: ChatView;
let waits: WaitingState;
let visible: boolean;

beforeEach(() => {
  view = viewWithPresentations;
  visible = false;
  waits = new WaitingState(() => view);
});

function emit(...events: EventBody[]): void {
  for (const event of events) {
    view = applyEvent(view, event);
    waits.fold(ofSession(event), visible);
  }
}
const text = () => attentionText(t, view, waits.state);
const call = (callId: string, tool: string, subject: string): EventBody => ({
  type: "call",
  messageId: "m",
  callId,
  tool,
  subject,
});
const working: EventBody = { type: "status", status: "running" };
const idle: EventBody = { type: "status", status: "idle" };

it("names the call that waits for approval, until it is answered", () => {
  emit(working, call("c", "execute_command", "npm test"), {
    type: "approval",
    callId: "c",
    approval: { callId: "c", access: "command", reason: { code: "commands-ask", values: [] } },
  });
  emit({ type: "status", status: "approval" });
  expect(waits.state).toEqual({ working: true, waiting: "approval" });
  expect(text()).toBe("Nekode is waiting for your approval: Run npm test");
  waits.seen();
  expect(waits.state.waiting).toBe("approval");
  emit({ type: "call-running", callId: "c" }, working);
  expect(text()).toBe("Nekode is working");
});

it("says that the task is done or failed until the user sees it, and nothing if they watched or stopped it", () => {
  emit(working, { type: "delta", messageId: "m", block: 0, kind: "text", delta: "Done." }, idle);
  expect(text()).toBe("Nekode is done");
  waits.seen();
  expect(text()).toBeUndefined();
  visible = true;
  emit(working, idle);
  expect(text()).toBeUndefined();
  visible = false;
  emit(working, { type: "notice", id: "n", code: "request-limit" }, idle);
  expect(text()).toBe("Nekode cannot continue");
  emit(working);
  emit({ type: "notice", id: "o", code: "stopped" }, idle);
  expect(text()).toBeUndefined();
});

it("a question waits even if it was seen, until the next message", () => {
  visible = true;
  emit(working, call("q", "ask_followup_question", "Which one?"), idle);
  expect(waits.state.waiting).toBe("question");
  waits.seen();
  expect(text()).toBe("Nekode has a question for you");
  emit(working);
  expect(waits.state.waiting).toBeUndefined();
});

it("a session that was opened, or has not worked, says nothing", () => {
  emit(idle);
  expect(text()).toBeUndefined();
  emit(working, idle, { type: "session", id: "other", title: "" }, idle);
  expect(text()).toBeUndefined();
});

it("a sound is played by the first program that the system has", () => {
  const has =
    (...names: string[]) =>
    (name: string) =>
      names.includes(name) ? `/usr/bin/${name}` : undefined;
  expect(soundPlayer("linux", has("paplay"))?.file).toBe("/usr/bin/paplay");
  expect(soundPlayer("darwin", has("afplay"))?.args).toEqual(["/System/Library/Sounds/Glass.aiff"]);
  expect(soundPlayer("linux", has())).toBeUndefined();
});
