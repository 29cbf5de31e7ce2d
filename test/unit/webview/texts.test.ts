import { describe, expect, it } from "vitest";
import { reasonOf } from "../../../src/shared/reason.ts";
import { terminalText } from "../../../src/shared/terminal-output.ts";
import { presentationOf } from "../../../src/shared/tool-presentation.ts";
import { pendingCall } from "../../../src/shared/view/chat-view.ts";
import { applyEvent, emptyView } from "../../../src/shared/view/reducer.ts";
import { callDetail, exitText } from "../../../src/shared/words/outcome-words.ts";
import { translator } from "../../../src/shared/words/task-words.ts";
import { PersistedPanel } from "../../../webview-ui/host.ts";
import { parseLink } from "../../../webview-ui/markdown/links.ts";
import { isOpenEnd, isUnanswered } from "../../../webview-ui/rows/open-end.ts";
import { dollars, duration, shortCount } from "../../../webview-ui/text/numbers.ts";
import { ownPresentations } from "../../support/presentations.ts";

describe("how a command ended", () => {
  it.each([
    ["exit code 1", { exitCode: 1 }],
    ["ended by SIGTERM", { exitCode: 143 }],
    ["ended by SIGINT", { exitCode: null, signal: "SIGINT" }],
    ["Stopped by you", { exitCode: 143, signal: "SIGTERM", stoppedByUser: true }],
  ])("%s", (text, end) => {
    expect(exitText(translator({}), end)).toBe(text);
  });
});

describe("where a link may lead", () => {
  it.each([
    ["https://example.com/a?b#c", { kind: "web", url: "https://example.com/a?b#c" }],
    ["HTTP://example.com", { kind: "web", url: "HTTP://example.com" }],
    ["src/a.ts", { kind: "file", path: "src/a.ts" }],
    ["./src/a.ts#L12", { kind: "file", path: "./src/a.ts", line: 12 }],
    ["src/a.ts#L12-L20", { kind: "file", path: "src/a.ts", line: 12 }],
    ["src/a.ts:12", { kind: "file", path: "src/a.ts", line: 12 }],
    ["a.ts:12:3", { kind: "file", path: "a.ts", line: 12 }],
    ["/work/a.ts", { kind: "file", path: "/work/a.ts" }],
    ["my%20notes.md", { kind: "file", path: "my notes.md" }],
    ["100%.md", { kind: "file", path: "100%.md" }],
  ])("%j", (href, target) => {
    expect(parseLink(href)).toEqual(target);
  });

  it.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "data:text/html,x",
    "vscode://x",
    "command:workbench.action.quit",
    "file:///etc/passwd",
    "//evil.example/x",
    "\\\\evil\\share",
    "http://",
    "#top",
    "",
  ])("nowhere: %j", (href) => {
    expect(parseLink(href)).toBeNull();
  });
});

describe("a command's output", () => {
  it.each([
    ["colors", "\u001b[31mred\u001b[0m", "red"],
    ["a title", "\u001b]0;title\u0007text", "text"],
    ["a link", "\u001b]8;;http://x\u001b\\label\u001b]8;;\u001b\\", "label"],
    ["a sequence still coming", "text\u001b[3", "text"],
    ["progress in one line", "10%\r50%\r100%\ndone", "100%\ndone"],
    ["CRLF", "a\r\nb\r\n", "a\nb\n"],
    ["a carriage return at the end", "50%\r", "50%"],
    ["bells and backspaces", "a\u0007b\u0008c", "ac"],
    ["a spinner", "wait |\b/\b-\b\\\b done", "wait  done"],
    ["a line erased and drawn anew", "fetching 10%\u001b[2K\rfetched\n", "fetched\n"],
    ["the rest of a line erased", "abcdef\u001b[3G\u001b[K!", "ab!"],
    ["bars in several lines", "a 1%\nb 1%\n\u001b[2A\u001b[2Ka 9%\n\u001b[2Kb 9%\ndone", "a 9%\nb 9%\ndone"],
    ["bars that move by columns", "[    ]\u001b[5D=\u001b[1C=", "[= = ]"],
    ["colors between", "\u001b[1mx\u001b[0m\u001b[32m 5%\r\u001b[31m 7%\u001b[0m", " 7%"],
    ["moves that lead nowhere", "a\u001b[9A\u001b[9Db\u001b[9B\u001b[999999999C|", `b${" ".repeat(499)}|`],
    ["tabs and text", "a\tb\n日本語", "a\tb\n日本語"],
  ])("%s", (_, raw, shown) => {
    expect(terminalText(raw)).toBe(shown);
  });
});

describe("figures", () => {
  it("are short", () => {
    expect([0, 999, 1_000, 9_940, 12_345, 999_499, 1_234_567].map(shortCount)).toEqual([
      "0",
      "999",
      "1.0k",
      "9.9k",
      "12k",
      "999k",
      "1.2M",
    ]);
    expect([0.0123, 1, 12.345].map(dollars)).toEqual(["$0.0123", "$1.00", "$12.35"]);
    expect([840, 12_400, 125_000].map((ms) => duration(translator({}), ms))).toEqual([
      "0.8 s",
      "12 s",
      "2 min 5 s",
    ]);
  });
});

describe("what a call found", () => {
  it.each([
    ["read_file", "3", "3 lines"],
    ["read_file", "1", "1 line"],
    ["read_file", "1-20 / 400", "lines 1-20 / 400"],
    ["read_file", "PNG image, 3 KB", "PNG image, 3 KB"],
    ["list_files", "12+", "12+ entries"],
    ["search_files", "0", "0 matches"],
    ["some_tool", "3", "3"],
  ])("%s %j", (tool, text, words) => {
    expect(callDetail(translator({}), presentationOf(ownPresentations, tool), { text })).toBe(words);
  });
});

describe("state that outlives the page", () => {
  it("is read back, and falls back to nothing when it is not ours", () => {
    const written: unknown[] = [];
    const state = new PersistedPanel(undefined, (value) => written.push(value));
    state.update({ draft: "a wish", selection: [2, 4] });
    expect(new PersistedPanel(written[0], () => {}).value).toEqual(state.value);
    expect(new PersistedPanel({ draft: 7 }, () => {}).value.draft).toBe("");
  });

  it("leaves large images out of what is written, not out of what is held", () => {
    const written: { images?: unknown[] }[] = [];
    const state = new PersistedPanel(undefined, (value) => written.push(value));
    state.update({ images: [{ mimeType: "image/png", data: "x".repeat(3_000_000) }] });
    expect(state.value.images).toHaveLength(1);
    expect(written[0]?.images).toEqual([]);
  });
});

describe("what still waits for the user", () => {
  const user = (id: string) => ({
    type: "message" as const,
    message: { id, role: "user" as const, blocks: [], createdAt: "", display: id },
  });
  const call = (callId: string) => ({
    type: "call" as const,
    messageId: "m",
    callId,
    tool: "t",
    subject: "",
  });

  it("is a question until the next message", () => {
    let view = applyEvent(applyEvent(emptyView, user("u1")), call("q"));
    expect(isUnanswered(view, "q")).toBe(true);
    view = applyEvent(view, user("u2"));
    expect(isUnanswered(view, "q")).toBe(false);
  });

  it("is an error while nothing follows it and the task rests", () => {
    let view = applyEvent(emptyView, { type: "error", id: "e", error: { code: "internal" } });
    expect(isOpenEnd(view, "e")).toBe(true);
    view = applyEvent(view, { type: "status", status: "waiting" });
    expect(isOpenEnd(view, "e")).toBe(false);
  });

  it("is the first call that asks, also one that is settled", () => {
    const approval = (callId: string) => ({
      type: "approval" as const,
      callId,
      approval: { callId, access: "edit" as const, reason: reasonOf("none") },
    });
    let view = [call("a"), call("b"), approval("a"), approval("b")].reduce(applyEvent, emptyView);
    expect(pendingCall(view)?.id).toBe("a");
    view = [
      { type: "request" as const, messageId: "n", number: 2 },
      { type: "status" as const, status: "approval" as const },
    ].reduce(applyEvent, view);
    expect(pendingCall(view)?.id).toBeDefined();
  });
});
