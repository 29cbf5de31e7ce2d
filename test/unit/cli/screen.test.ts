/** Nothing that anybody but the terminal host writes makes a terminal do something. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { jsonPrinter, textPrinter } from "../../../src/cli/printer.ts";
import { createScreen, harmlessJson, PlainOutput, type Screen } from "../../../src/cli/screen.ts";
import { describeApproval, pageText } from "../../../src/cli/terminal.ts";
import type { ApprovalView, EventBody, TaskEvent } from "../../../src/shared/event.ts";
import { reasonOf } from "../../../src/shared/reason.ts";
import { applyEvent, emptyView } from "../../../src/shared/view/reducer.ts";
import { translator } from "../../../src/shared/words/task-words.ts";
import { ofSession } from "../../support/events.ts";
import { anyText, fc } from "../../support/property.ts";
import { rounds } from "../../support/random.ts";

const t = translator({});

/** What ECMA-48 terminals and bidirectional ones obey, but for tab and line feed. */
const OBEYED = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

const ATTACKS = [
  "\u001b]52;c;cm0gLXJmIH4=\u0007",
  "\u001b]0;title\u001b\\",
  "\u001b[2J\u001b[H",
  "\u001b[8m",
  "\u009b8m\u009d0;x\u009c",
  "\r\u001b[K> Approved",
  "\u0008\u0008\u0008",
  "\u202ecod.exe\u2066",
  "\u0007\u000e\u000f\u0090q\u007f",
];
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...ATTACKS), anyText(), fc.constant("\n")), {
    maxLength: 6,
  })
  .map((parts) => parts.join("a"));

function recording(): { screen: Screen; out: () => string; err: () => string } {
  const sink = () => {
    const pieces: string[] = [];
    const stream = new Writable({
      decodeStrings: false,
      write(piece, _, done) {
        pieces.push(String(piece));
        done();
      },
    });
    return { stream, text: () => pieces.join("") };
  };
  const [out, err] = [sink(), sink()];
  return { screen: createScreen(out.stream, err.stream), out: out.text, err: err.text };
}

function eventsWith(text: string): TaskEvent[] {
  return bodiesWith(text).map((event) => ofSession(event));
}

function bodiesWith(text: string): EventBody[] {
  const call = { type: "tool-call" as const, id: "c", name: text, params: { [text]: text, command: text } };
  const at = "2026-01-01T00:00:00.000Z";
  return [
    { type: "call", messageId: "m", callId: "c", tool: text, subject: text },
    { type: "delta", messageId: "m", block: 0, kind: "text", delta: text },
    { type: "call-text", callId: "c", delta: text },
    {
      type: "message",
      message: { id: "m", role: "assistant", blocks: [{ type: "text", text }, call], createdAt: at },
      subjects: { c: text },
    },
    { type: "call-running", callId: "c" },
    { type: "output", callId: "c", delta: text },
    {
      type: "message",
      message: {
        id: "r",
        role: "tool",
        blocks: [
          {
            type: "tool-result",
            callId: "c",
            name: text,
            label: text,
            outcome: "failed",
            parts: [{ type: "text", text }],
            shown: { text },
          },
        ],
        createdAt: at,
      },
    },
    { type: "error", id: "e", error: { code: "bad-request", detail: text, subject: text } },
    { type: "notice", id: "n", code: "mode-act", values: [text] },
  ];
}

describe("what a task tells", () => {
  it("as text: no control reaches either output", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const { screen, out, err } = recording();
        let view = emptyView;
        const printer = textPrinter(screen, t, () => view);
        for (const event of eventsWith(text)) {
          view = applyEvent(view, event);
          printer.print(event);
        }
        expect(out()).not.toMatch(OBEYED);
        expect(err()).not.toMatch(OBEYED);
      }),
      { numRuns: rounds(100, 300) },
    );
  });

  it("as text: a name, a subject or a reason begins no line of its own", () => {
    const { screen, err } = recording();
    let view = emptyView;
    const printer = textPrinter(screen, t, () => view);
    const forging = eventsWith("a.txt\n> Approved").filter(
      ({ type }) => type !== "output" && type !== "notice",
    );
    for (const event of forging) {
      view = applyEvent(view, event);
      if (event.type !== "error") printer.print(event);
    }
    expect(err()).toContain("a.txt");
    expect(err()).not.toMatch(/^> Approved/m);
  });

  it("as JSON: the same values, without any control", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const { screen, out } = recording();
        const printer = jsonPrinter(screen);
        const events = eventsWith(text);
        for (const event of events) printer.print(event);
        expect(out()).not.toMatch(OBEYED);
        const lines = out().trimEnd().split("\n");
        expect(lines.map((line) => JSON.parse(line))).toEqual(JSON.parse(JSON.stringify(events)));
      }),
      { numRuns: rounds(80, 200) },
    );
  });

  it("JSON that is escaped says the same", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(harmlessJson(JSON.stringify(value, null, 1)))).toEqual(
          JSON.parse(JSON.stringify(value)),
        );
      }),
    );
  });
});

describe("a command's output", () => {
  it("loses its sequences wherever it is cut", () => {
    const text = `one ${ATTACKS.slice(0, 5).join("two ")}\u001b[32mthree\u001b[0m\r\n50%\r100%\n`;
    const whole = new PlainOutput().push(text);
    expect(whole).toBe("one two two two two three\n50%\n100%\n");
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 8 }), (cuts) => {
        const output = new PlainOutput();
        const at = [0, ...cuts.sort((a, b) => a - b), text.length];
        const pieces = at.slice(1).map((end, i) => output.push(text.slice(at[i], end)));
        expect(pieces.join("")).toBe(whole);
      }),
    );
  });

  it("that never ends a sequence is not held back for ever", () => {
    const output = new PlainOutput();
    let printed = "";
    for (let n = 0; n < 200; n++) printed += output.push(`${n === 0 ? "\u001b]0;" : ""}${"x".repeat(100)}`);
    expect(printed.length).toBeGreaterThan(10_000);
  });
});

describe("an approval", () => {
  const approval = (more: Partial<ApprovalView>): ApprovalView => ({
    callId: "c",
    access: "command",
    reason: reasonOf("commands-ask"),
    ...more,
  });

  it("of any size is printed page by page, and all of it can be seen", () => {
    const command = Array.from({ length: 100_000 }, (_, n) => `echo ${n}`).join("\n");
    const pages = describeApproval(approval({ command, text: "x".repeat(5_000_000) }), undefined, t);
    const printed = pages.map((_, index) => pageText(pages, index, t));
    expect(Math.max(...printed.map(({ length }) => length))).toBeLessThan(25_000);
    expect(pages.join("")).toContain(command);
    expect(pages.join("")).toContain("x".repeat(5_000_000));
    expect(printed[0]).toContain("Type m to show more");
    expect(printed.at(-1)).not.toContain("Type m to show more");
  });

  it("names the encodings of files that are not in UTF-8", () => {
    const guess = { path: "a.c", encoding: "windows1251", isGuess: true };
    const [one = ""] = describeApproval(approval({ path: "a.c", encodings: [guess] }), undefined, t);
    expect(one).toContain(
      "Encoding: Windows-1251 (a guess; characters that it may write wrongly are not added)",
    );
    const known = { path: "b.c", encoding: "shiftjis", isGuess: false };
    const [both = ""] = describeApproval(approval({ encodings: [guess, known] }), undefined, t);
    expect(both).toContain("Encoding: b.c: Shift JIS");
  });

  it("says where a command runs, where there is a sandbox", () => {
    const command = { command: "npm install", cwd: "/project" };
    const [outside = ""] = describeApproval(approval({ ...command, outsideSandbox: true }), undefined, t);
    expect(outside).toContain("  (/project)\nRuns outside the sandbox");
    const [online = ""] = describeApproval(approval({ ...command, network: true }), undefined, t);
    expect(online).toContain("  (/project)\nRuns in the sandbox, with network");
    expect(describeApproval(approval(command), undefined, t).join()).not.toContain("sandbox");
  });

  it("counts the blank lines of a command, so that none pushes its beginning off the screen", () => {
    const command = `curl http://127.0.0.1:9/x | sh\n${"\n".repeat(200)}npm run lint`;
    const [page = ""] = describeApproval(approval({ command }), undefined, t);
    expect(page).toContain("$ curl http://127.0.0.1:9/x | sh\n… 200 blank lines\nnpm run lint");
  });

  it("shows what it is made of, and nothing of it is obeyed or hidden", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const files = [{ kind: "update" as const, path: text, added: 1, removed: 1 }];
        const asked = approval({
          command: text,
          cwd: text,
          path: text,
          realPath: text,
          reason: reasonOf("outside-project", text),
          text,
          files,
        });
        const pages = describeApproval(asked, text, t);
        expect(pages.map((_, index) => pageText(pages, index, t)).join("")).not.toMatch(OBEYED);
      }),
    );
  });
});

it("nothing else in the terminal host writes to the outputs", () => {
  const folder = path.join(import.meta.dirname, "../../../src/cli");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  expect(files.length).toBeGreaterThan(15);
  const writing = files.filter((name) =>
    /process\.std(?:out|err)\.write|console\.|createWriteStream|writeSync/.test(
      readFileSync(path.join(folder, name), "utf8"),
    ),
  );
  expect(writing).toEqual([]);
});
