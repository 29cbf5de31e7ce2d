/** Short builders for the events and rows of a conversation. */
import type { ApprovalView, EventBody } from "../../../src/shared/event.ts";
import type { Message } from "../../../src/shared/message.ts";
import { reasonOf } from "../../../src/shared/reason.ts";

let number = 0;
export function id(): string {
  return `id-${++number}`;
}

export function session(title = "A task"): EventBody {
  return { type: "session", id: id(), title };
}

export function user(text: string): EventBody {
  return { type: "message", message: message("user", { display: text, blocks: [{ type: "text", text }] }) };
}

export function assistant(...blocks: Message["blocks"]): EventBody {
  return { type: "message", message: message("assistant", { blocks }) };
}

export function text(content: string): EventBody {
  return assistant({ type: "text", text: content });
}

export function message(role: Message["role"], rest: Partial<Message>): Message {
  return { id: id(), role, blocks: [], createdAt: "2025-01-01T00:00:00Z", ...rest };
}

/** A call that waits for a yes or no. */
export function ask(
  callId: string,
  tool: string,
  subject: string,
  approval: Partial<ApprovalView>,
): EventBody[] {
  return [
    { type: "call", messageId: id(), callId, tool, subject },
    {
      type: "approval",
      callId,
      approval: { callId, access: "command", reason: reasonOf("none"), ...approval },
    },
    { type: "status", status: "approval" },
  ];
}

export function done(callId: string): EventBody[] {
  return [
    { type: "call-done", callId, outcome: "done" },
    { type: "status", status: "waiting" },
  ];
}
