import { describe, expect, it } from "vitest";
import { boundedStream } from "../../../src/acp/bounded-stream.ts";

type Message = { id?: number | null; method?: string };

describe("the stream between an editor and the agent", () => {
  it("reads no further while the editor reads no answers, and goes on when it does", async () => {
    let sent = 0;
    const readable = new ReadableStream<Message>(
      {
        pull: (controller) => {
          sent++;
          controller.enqueue(sent % 10 === 0 ? { method: "note" } : { id: sent, method: "ask" });
        },
      },
      { highWaterMark: 0 },
    );
    const written: Message[] = [];
    const writable = new WritableStream<Message>({ write: (message) => void written.push(message) });
    const bounded = boundedStream({ readable, writable });
    const [reader, writer] = [bounded.readable.getReader(), bounded.writable.getWriter()];
    const asked: number[] = [];
    const take = async () => {
      const { value } = await reader.read();
      if (typeof value?.id === "number") asked.push(value.id);
    };
    while (asked.length <= 1_000) await take();
    const before = sent;
    let isRead = false;
    const next = take().then(() => {
      isRead = true;
    });
    // A message of the agent's own is no answer.
    await writer.write({ method: "update" });
    await writer.write({ id: 1, method: "permit" });
    expect([sent, isRead]).toEqual([before, false]);
    await writer.write({ id: asked[0] ?? 0 });
    await next;
    expect(isRead).toBe(true);
    expect(written).toHaveLength(3);
    await reader.cancel();
    await writer.close();
  });

  it("ends with its source", async () => {
    const readable = new ReadableStream<Message>({ start: (controller) => controller.close() });
    const { readable: bounded } = boundedStream({ readable, writable: new WritableStream<Message>() });
    expect(await bounded.getReader().read()).toEqual({ done: true, value: undefined });
  });
});
