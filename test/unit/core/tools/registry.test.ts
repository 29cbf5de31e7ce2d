/** Tools join and leave while sessions run: what is derived from them follows, in one order whoever came first. */
import { describe, expect, it } from "vitest";
import { defaultTools, ToolRegistry } from "../../../../src/core/tools/registry.ts";
import { TaskTools } from "../../../../src/core/tools/set/task-tools.ts";
import { foreignTool, WEATHER_SCHEMA } from "../../../support/foreign-tool.ts";

const names = (tools: readonly { name: string }[]) => tools.map(({ name }) => name);
const own = names(defaultTools);
const call = (name: string, params: Record<string, unknown>) => ({
  ...{ type: "tool-call" as const, id: "c", name, params },
});

describe("a registry that grows and shrinks", () => {
  it("has our own tools first and added ones by name, and says when it changed", () => {
    const registry = new ToolRegistry();
    const changes: string[][] = [];
    registry.onChange(() => changes.push(names(registry.tools).slice(own.length)));
    const zoo = registry.add(foreignTool("zoo_weather"));
    registry.add(foreignTool("Air_weather"));
    registry.add(foreignTool("sea_weather"));
    zoo.dispose();
    zoo.dispose();
    expect(changes).toEqual([
      ["zoo_weather"],
      ["Air_weather", "zoo_weather"],
      ["Air_weather", "sea_weather", "zoo_weather"],
      ["Air_weather", "sea_weather"],
    ]);
    expect(names(registry.tools).slice(0, own.length)).toEqual(own);
    expect(names(registry.native())).toEqual(names(registry.tools));
  });

  it("gives all that derives from a tool, and takes it back", () => {
    const registry = new ToolRegistry();
    // The functions of the grammar are made anew each time.
    const derived = () => [registry.native(), registry.documentation(), JSON.stringify(registry.grammar())];
    const before = derived();
    const added = registry.add(foreignTool("weather"));
    expect(registry.find("Weather")?.name).toBe("weather");
    expect(registry.presentation("weather")?.icon).toBe("cloud");
    expect(registry.label(call("weather", { city: "Tokyo" }))).toBe("weather for 'Tokyo'");
    expect(registry.documentation()).toContain("## weather\nDescription: Tells the weather (weather).");
    expect(registry.usage("weather")).toBe("<weather>\n<city>...</city>\n</weather>");
    const syntax = registry.grammar().find(({ name }) => name === "weather");
    expect(syntax).toMatchObject({
      ...{ name: "weather", params: ["city", "days", "units", "anything", "task_progress"], text: "city" },
    });
    expect([syntax?.fits?.({ city: "Tokyo" }), syntax?.fits?.({ days: "soon" })]).toEqual([true, false]);
    added.dispose();
    expect(derived()).toEqual(before);
    expect(registry.resolve(call("weather", {}))).toMatchObject({ ok: false });
  });

  it("refuses a name that means another tool, or that no endpoint takes, and is as it was", () => {
    const registry = new ToolRegistry();
    registry.add(foreignTool("weather"));
    for (const name of ["read_file", "ReadFile", "readFile", "editfile", "weather", "WEATHER"]) {
      expect(() => registry.add(foreignTool(name)), name).toThrow(/already means the tool \w+/);
    }
    for (const name of ["", "a b", "a.b", "天気", "__proto__", "x".repeat(65)]) {
      expect(() => registry.add(foreignTool(name)), name).toThrow(/is not a valid tool name/);
    }
    expect(names(registry.tools)).toEqual([...own, "weather"]);
  });

  it("stays what it was for whoever holds what it was, until that is taken anew", () => {
    const registry = new ToolRegistry();
    const snapshot = registry.snapshot();
    expect(registry.snapshot()).toBe(snapshot);
    const tools = new TaskTools(registry);
    const native = tools.native();
    const added = registry.add(foreignTool("weather"));
    expect(names(snapshot.tools)).toEqual(own);
    expect(tools.native()).toBe(native);
    expect(tools.find("weather")).toBeUndefined();
    expect(tools.take()).toEqual({ added: ["weather"], removed: [] });
    expect(tools.take()).toBeUndefined();
    expect(names(tools.native())).toEqual([...own, "weather"]);
    added.dispose();
    const again = registry.add(foreignTool("weather"));
    expect(tools.take()).toEqual({ added: ["weather"], removed: ["weather"] });
    registry.add(foreignTool("other")).dispose();
    expect(tools.take()).toBeUndefined();
    again.dispose();
    expect(tools.take()).toEqual({ added: [], removed: ["weather"] });
    expect(tools.native()).toEqual(native);
  });
});

describe("a schema of somebody else's", () => {
  const registry = new ToolRegistry();
  registry.add(foreignTool("weather"));
  const resolve = (params: Record<string, unknown>) => registry.resolve(call("weather", params));

  it("goes to the model as it is, with the todo list's parameter beside its own", () => {
    const sent = registry.native().find(({ name }) => name === "weather")?.parameters;
    const { task_progress, ...properties } = Object(sent?.properties);
    expect({ ...sent, properties }).toEqual(WEATHER_SCHEMA);
    expect(task_progress).toMatchObject({ type: "string" });
  });

  it.each([
    [
      { city: "Tokyo", days: "3", units: "CELSIUS" },
      { city: "Tokyo", days: 3, units: "celsius" },
    ],
    [
      { city: "Tokyo", anything: [1] },
      { city: "Tokyo", anything: [1] },
    ],
    [{ city: "Tokyo", task_progress: "- [ ] Look" }, { city: "Tokyo" }],
  ])("%j is understood", (params, understood) => {
    expect(resolve(params)).toMatchObject({ ok: true, params: understood });
    expect(Object.keys(Object(resolve(params)).params)).toEqual(Object.keys(understood));
  });

  it.each([
    [{}, "city is missing, expected a text"],
    [{ city: "Tokyo", days: "soon" }, 'days: expected a whole number of at least 1, got "soon"'],
    [{ city: "Tokyo", units: "kelvin" }, "units: expected one of"],
    [{ city: "Tokyo", town: "x" }, "town is not a parameter of this tool"],
  ])("%j is answered with what is wrong", (params, error) => {
    const resolved = resolve(params);
    expect(resolved.ok ? "" : resolved.error).toContain(error);
  });

  it("may have a parameter of that name, and may be open", () => {
    const other = new ToolRegistry();
    other.add(foreignTool("other", { type: "object", properties: { task_progress: { type: "number" } } }));
    expect(other.native().at(-1)?.parameters.properties).toEqual({ task_progress: { type: "number" } });
    const resolved = other.resolve(call("other", { task_progress: "3", more: true }));
    expect(resolved).toMatchObject({
      ok: true,
      params: { task_progress: 3, more: true },
      progress: undefined,
    });
  });

  it("that is no schema of an object is refused", () => {
    for (const schema of [null, "x", [], { type: "string" }, { type: "object", properties: 3 }]) {
      expect(() => foreignTool("broken", schema)).toThrow();
    }
  });
});
