/** A tool of a server that an endpoint refuses is left out, and no tool of Nekode's own. */
import { describe, expect, it } from "vitest";
import { ProviderError } from "../../../../src/core/errors.ts";
import { firstPlan } from "../../../../src/core/provider/adaptations.ts";
import { ModelProfiles } from "../../../../src/core/provider/model-profile.ts";
import { withoutRefusedTools, withoutTools } from "../../../../src/core/window/refused-tools.ts";
import type { EventBody } from "../../../../src/shared/event.ts";
import { modelAt } from "../../../support/connections.ts";

const NAMES = ["read_file", "a__one", "a__one_more", "b__two", "b__three"];
const tools = NAMES.map((name) => ({ name, description: "", parameters: {} }));

function refusing(detail: string, code: "bad-request" | "server-error" = "bad-request") {
  const profile = new ModelProfiles().of(modelAt("http://x/v1", "m"));
  const events: EventBody[] = [];
  const row = withoutRefusedTools({
    profile,
    offered: () => tools,
    registry: {
      tools: NAMES.map((name) => ({ name, origin: name.includes("__") ? "server" : undefined })),
    },
    conversation: { emit: (event) => void events.push(event) },
    host: { newId: () => "id" },
  });
  const failed = { error: new ProviderError({ code, detail }), shown: false, images: 0 };
  let plan = firstPlan(profile, "native");
  const again = () => {
    if (!row.matches(failed, plan, profile)) return undefined;
    row.learn?.(failed, profile);
    plan = row.change?.(plan) ?? plan;
    return withoutTools({ system: "", messages: [], tools, protocol: "native" }, plan).tools.map(
      ({ name }) => name,
    );
  };
  return { again, events, profile };
}

const without = (...names: string[]) => NAMES.filter((name) => !names.includes(name));

describe("a refusal", () => {
  it.each<[string, string[]]>([
    ["Invalid schema for function 'a__one_more': array schema missing items.", ["a__one_more"]],
    ["Invalid schema for function 'a__one': array schema missing items.", ["a__one"]],
    ["tools.3.custom.input_schema.properties: Property keys should match pattern '^[a-z]$'", ["b__two"]],
    [
      "* GenerateContentRequest.tools[0].function_declarations[4].parameters.properties[a].items: missing field",
      ["b__three"],
    ],
    ["Value at 'toolConfig.tools.1.member.toolSpec.name' failed to satisfy constraint", ["a__one"]],
    ["Invalid request: a tool's schema is not valid", ["b__two", "b__three"]],
  ])("%s", (detail, names) => {
    const { again, events, profile } = refusing(detail);
    expect(again()).toEqual(without(...names));
    expect(events).toEqual([
      { type: "notice", id: "id", code: "tools-refused", values: [names.join(", "), detail] },
    ]);
    // It is known in the next request.
    expect([...firstPlan(profile, "native").withheldTools]).toEqual(names);
  });

  it("without a name leaves out one server after the other, and no own tool", () => {
    const { again } = refusing("a function schema is not supported");
    expect(again()).toEqual(without("b__two", "b__three"));
    expect(again()).toEqual(["read_file"]);
    expect(again()).toBeUndefined();
  });

  it.each(["tools.0.custom.input_schema: bad", "temperature is too high", "messages.3: empty content"])(
    "of something else is left alone: %s",
    (detail) => {
      expect(refusing(detail).again()).toBeUndefined();
    },
  );

  it("of another kind is left alone", () => {
    expect(refusing("schema of function a__one", "server-error").again()).toBeUndefined();
  });
});
