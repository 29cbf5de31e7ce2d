import { isRecord, refuse } from "../api-error.ts";
import { SchemaJudge } from "../schema-judge.ts";

/** Validates `tools`, `tool_choice` and `parallel_tool_calls`. Throws a 400 that names the invalid tool. */
export function validateTools(body: Record<string, unknown>): void {
  const { tools } = body;
  if (tools === undefined) {
    for (const name of ["tool_choice", "parallel_tool_calls"]) {
      if (body[name] !== undefined) {
        refuse(
          name,
          "invalid_parameter_combination",
          `'${name}' is only allowed when 'tools' are specified.`,
        );
      }
    }
    return;
  }
  if (!Array.isArray(tools)) refuse("tools", "invalid_type", "'tools' must be an array.");
  if (tools.length === 0)
    refuse("tools", "empty_array", "Invalid 'tools': empty array. Expected at least one tool.");
  if (tools.length > 128)
    refuse("tools", "array_above_max_length", "Invalid 'tools': at most 128 tools are allowed.");
  const names = new Set<string>();
  tools.forEach((tool: unknown, index) => {
    const name = validateTool(tool, `tools[${index}]`);
    if (names.has(name)) {
      refuse(
        `tools[${index}].function.name`,
        "duplicate_tool",
        `Tool names must be unique: '${name}' at tools[${index}].`,
      );
    }
    names.add(name);
  });
  validateChoice(body.tool_choice, names);
  const parallel = body.parallel_tool_calls;
  if (parallel !== undefined && typeof parallel !== "boolean") {
    refuse("parallel_tool_calls", "invalid_type", "'parallel_tool_calls' must be a boolean.");
  }
}

function validateTool(tool: unknown, at: string): string {
  if (!isRecord(tool) || tool.type !== "function" || !isRecord(tool.function)) {
    refuse(at, "invalid_type", `'${at}' must be {type: "function", function: {...}}.`);
  }
  const { name, description, parameters, strict } = tool.function;
  if (typeof name !== "string" || !/^[a-zA-Z0-9_-]{1,64}$/.test(name)) {
    refuse(
      `${at}.function.name`,
      "invalid_value",
      `Invalid '${at}.function.name': ${JSON.stringify(name)} does not match '^[a-zA-Z0-9_-]{1,64}$'.`,
    );
  }
  if (description !== undefined && typeof description !== "string") {
    refuse(`${at}.function.description`, "invalid_type", `'${at}.function.description' must be a string.`);
  }
  if (strict !== undefined && strict !== null && typeof strict !== "boolean") {
    refuse(`${at}.function.strict`, "invalid_type", `'${at}.function.strict' must be a boolean.`);
  }
  if (parameters !== undefined) {
    const fault = (path: readonly (string | number)[], message: string): never => {
      const context = path.length === 0 ? "" : ` In context=(${path.map((step) => `'${step}'`).join(", ")}),`;
      refuse(
        `${at}.function.parameters`,
        "invalid_function_parameters",
        `Invalid schema for function '${name}':${context} ${message}.`,
      );
    };
    new SchemaJudge(fault, strict === true).root(parameters);
  }
  return name;
}

function validateChoice(choice: unknown, names: ReadonlySet<string>): void {
  if (choice === undefined || choice === "auto" || choice === "none" || choice === "required") return;
  const fn = isRecord(choice) && choice.type === "function" ? choice.function : undefined;
  if (!isRecord(fn) || typeof fn.name !== "string") {
    refuse(
      "tool_choice",
      "invalid_value",
      "'tool_choice' must be 'none', 'auto', 'required' or name a function.",
    );
  }
  if (!names.has(fn.name)) {
    refuse("tool_choice", "invalid_value", `'tool_choice' names '${fn.name}', which is not among 'tools'.`);
  }
}
