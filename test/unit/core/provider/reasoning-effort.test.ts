/** How long a model reasons is said where the user set it, and not where the endpoint refuses it. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { delta, stream } from "../../../support/raw-stream.ts";
import { type Endpoint, ended, startEndpoint } from "./endpoint.ts";

let endpoint: Endpoint;
beforeAll(async () => {
  endpoint = await startEndpoint();
});
afterAll(() => endpoint.close());
beforeEach(() => {
  endpoint.heard.length = 0;
});

const fine = { body: stream(delta({ content: "Fine." }), ended) };

it.each(["none", "low", "medium", "high"])("is sent: %s", async (reasoningEffort) => {
  endpoint.say(fine);
  await endpoint.ask({ provider: { reasoningEffort } });
  expect(endpoint.heard[0]?.body.reasoning_effort).toBe(reasoningEffort);
});

it("is not sent by default", async () => {
  endpoint.say(fine);
  await endpoint.ask();
  expect(endpoint.heard[0]?.body).not.toHaveProperty("reasoning_effort");
});

it.each([
  "Unrecognized request argument supplied: reasoning_effort",
  "Unsupported parameter: 'reasoning_effort' is not supported with this model.",
  "Unsupported value: 'low' is not supported with the 'm' model. Supported values are: 'medium' and 'high'.",
  '"llama3.2" does not support thinking',
  'think value "low" is not supported for this model',
])("is left out where it is refused, and from then on: %s", async (words) => {
  const refused = { status: 400, body: JSON.stringify({ error: { message: words } }) };
  endpoint.say({ ...refused, headers: { "content-type": "application/json" } }, fine);
  const options = { model: words, provider: { reasoningEffort: "low" } };
  expect(await endpoint.ask(options)).toMatchObject({ text: "Fine." });
  expect(await endpoint.ask(options)).toMatchObject({ text: "Fine." });
  expect(endpoint.heard.map(({ body }) => body.reasoning_effort)).toEqual(["low", undefined, undefined]);
});
