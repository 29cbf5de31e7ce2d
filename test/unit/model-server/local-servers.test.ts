import { afterEach, expect, it } from "vitest";
import { localServerHints } from "../../model-server/local-servers.ts";
import { listOf, type OddServer, startOddServer } from "../../support/odd-server.ts";

const running: OddServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});
const serve = async (...models: string[]) => {
  const server = await startOddServer(() => listOf(...models));
  running.push(server);
  return server;
};

it("names the local servers that answer, and the option that uses each", async () => {
  const [ollama, empty, odd, own] = [
    await serve("qwen3:8b", "llama3"),
    await serve(),
    await serve("a model; rm -rf 'x'\u001b[2J"),
    await serve("scripted"),
  ];
  const hints = await localServerHints(own.port, [
    { preset: "ollama", port: ollama.port },
    { preset: "lmstudio", port: empty.port },
    { preset: "llamacpp", port: odd.port },
    { preset: "vllm", port: own.port },
  ]);
  const use = (port: number) => `npm start -- --base-url http://127.0.0.1:${port}/v1`;
  expect(hints).toEqual([
    `Ollama runs at http://127.0.0.1:${ollama.port}/v1. To use it: ${use(ollama.port)} --model qwen3:8b`,
    `LM Studio runs at http://127.0.0.1:${empty.port}/v1, without a model. Load one there, then: ${use(empty.port)} --model NAME`,
    `llama.cpp runs at http://127.0.0.1:${odd.port}/v1. To use it: ${use(odd.port)} --model 'a model; rm -rf '\\''x'\\''[2J'`,
  ]);
  expect(own.asked).toEqual([]);
});
