/**
 * A model that gives the next of its answers at once and looks at nothing: for measurements that the records of the scripted model,
 * which run in the same process, would be part of.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { delta, stream } from "./raw-stream.ts";

export type InstantAnswer = { text: string } | { tool: string; params: object };

export interface InstantModel {
  /** Base URL for clients: `http://127.0.0.1:PORT/v1`. */
  readonly url: string;
  /** What it answers next, in order; then always the first answer. */
  readonly answers: InstantAnswer[];
  requests: number;
  close(): Promise<void>;
}

export async function startInstantModel(always: InstantAnswer): Promise<InstantModel> {
  const server = createServer((request, response) => {
    request.resume().once("end", () => {
      model.requests += 1;
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(bodyOf(model.answers.shift() ?? always, model.requests));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const model: InstantModel = {
    url: `http://127.0.0.1:${port}/v1`,
    answers: [],
    requests: 0,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return model;
}

function bodyOf(answer: InstantAnswer, number: number): string {
  if ("text" in answer) return stream(delta({ content: answer.text }), delta({}, "stop"), "[DONE]");
  const call = { name: answer.tool, arguments: JSON.stringify(answer.params) };
  const calls = [{ index: 0, id: `call-${number}`, type: "function", function: call }];
  return stream(delta({ tool_calls: calls }), delta({}, "tool_calls"), "[DONE]");
}
