// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are variables of configuration files
/** Variables in configuration files of MCP servers, and the values that users enter for them. */
import { describe, expect, it } from "vitest";
import { Interrupt, ToolError } from "../../../../src/core/errors.ts";
import { resolveLaunch } from "../../../../src/core/servers/config/variables.ts";
import { type AskInput, inputVariable, ServerInputs } from "../../../../src/core/servers/server-inputs.ts";
import type { ServerDefinition } from "../../../../src/core/servers/server-types.ts";
import { MemorySecrets, serverOf } from "./support.ts";

const { signal } = new AbortController();
const noInput = async () => {
  throw new Error("nothing is asked");
};
const sources = {
  environment: { TOKEN: "t0k", EMPTY: "", "ProgramFiles(x86)": "C:\\x" },
  home: "/home/me",
  input: noInput,
};
const resolved = (server: ServerDefinition) => resolveLaunch(server, sources, signal);

async function failureOf(server: ServerDefinition): Promise<unknown> {
  try {
    await resolved(server);
  } catch (error) {
    if (error instanceof ToolError) return error.fault;
    throw error;
  }
  throw new Error("it was resolved");
}

describe("variables", () => {
  it("are replaced in command, arguments, environment and folder", async () => {
    const server = serverOf({
      command: "${userHome}/bin/x",
      args: [
        "--root",
        "${workspaceFolder}/a",
        "${workspaceFolderBasename}",
        "${NONE:-b c}",
        "${EMPTY:-d}",
        "$HOME",
      ],
      env: { A: "Bearer ${env:TOKEN}-${TOKEN}", B: "${EMPTY}", C: "${env:ProgramFiles(x86)}" },
      cwd: "${workspaceFolderBasename}${/}x",
    });
    expect(await resolved(server)).toEqual({
      type: "stdio",
      command: "/home/me/bin/x",
      args: ["--root", "/project/a", "project", "b c", "d", "$HOME"],
      env: { A: "Bearer t0k-t0k", B: "", C: "C:\\x" },
      cwd: "/project/project/x",
    });
  });

  it("are replaced in URLs and headers", async () => {
    const server = serverOf({
      url: "${BASE:-https://example.com}/mcp",
      headers: { Authorization: "Bearer ${TOKEN}" },
    });
    expect(await resolved(server)).toEqual({
      type: "auto",
      url: "https://example.com/mcp",
      headers: { Authorization: "Bearer t0k" },
    });
  });

  it("are not looked for in what replaced them", async () => {
    const environment = { A: "${env:TOKEN}", TOKEN: "t" };
    const server = serverOf({ command: "x", args: ["${A}"] });
    expect(await resolveLaunch(server, { ...sources, environment }, signal)).toMatchObject({
      args: ["${env:TOKEN}"],
    });
  });

  it("start a local server in the workspace folder, or else in the home folder", async () => {
    expect(await resolved(serverOf({ command: "x" }))).toMatchObject({ cwd: "/project" });
    const { folder: _, ...noFolder } = serverOf({ command: "x" });
    expect(await resolved(noFolder)).toMatchObject({ cwd: "/home/me" });
  });

  it("that are not set are named, not replaced by nothing", async () => {
    expect(
      await failureOf(serverOf({ command: "x", args: ["${env:NOPE}", "${TOKEN}"], env: { A: "${ALSO}" } })),
    ).toEqual({
      code: "variable-unset",
      values: ["NOPE, ALSO"],
    });
  });

  it("that do not exist are named", async () => {
    expect(await failureOf(serverOf({ command: "x", args: ["${config:a}", "${command:b}"] }))).toEqual({
      code: "variable-unsupported",
      values: ["${config:a}, ${command:b}"],
    });
  });

  it("of the folder require one", async () => {
    const { folder: _, ...server } = serverOf({ command: "x", args: ["${workspaceFolder}"] });
    expect(await failureOf(server)).toEqual({
      code: "variable-needs-folder",
      values: ["${workspaceFolder}"],
    });
  });

  it("cannot make another protocol of a URL", async () => {
    expect(await failureOf(serverOf({ url: "${BASE:-file:///etc}/passwd" }))).toMatchObject({
      code: "server-url",
    });
  });
});

describe("inputs", () => {
  const withKey = { inputs: [{ type: "promptString", id: "api-key", description: "Key", password: true }] };
  const entry = { command: "x", args: ["${input:api-key}", "${input:api-key}"] };
  const inputsWith = (ask: AskInput | undefined, environment = {}, secrets = new MemorySecrets()) => ({
    secrets,
    inputs: new ServerInputs({ ask, secrets, environment }),
  });
  const launch = (inputs: ServerInputs, server = serverOf(entry, withKey), aborted = signal) =>
    resolveLaunch(server, { ...sources, input: inputs.value }, aborted);

  it("are asked for once, also when two servers start at the same time", async () => {
    const asked: string[] = [];
    const { inputs, secrets } = inputsWith(async (_, { id, password }) => {
      asked.push(`${id} ${password}`);
      return "s3cret";
    });
    const started = await Promise.all([launch(inputs), launch(inputs)]);
    expect(started.map((each) => "args" in each && each.args)).toEqual(Array(2).fill(["s3cret", "s3cret"]));
    expect(asked).toEqual(["api-key true"]);
    const later = new ServerInputs({ ask: undefined, secrets, environment: {} });
    expect(await launch(later)).toMatchObject({ args: ["s3cret", "s3cret"] });
    await later.forget(serverOf(entry, withKey));
    await expect(launch(later)).rejects.toThrow("NEKODE_INPUT_API_KEY");
  });

  it("of another file with the same id are others", async () => {
    const { inputs, secrets } = inputsWith(async () => "s3cret");
    await launch(inputs);
    const later = new ServerInputs({ ask: async () => "other", secrets, environment: {} });
    const server = serverOf(entry, { ...withKey, file: "/evil/.mcp.json" });
    expect(await launch(later, server)).toMatchObject({ args: ["other", "other"] });
  });

  it("may be set in the environment", async () => {
    const { inputs } = inputsWith(undefined, { NEKODE_INPUT_API_KEY: "from outside" });
    expect(await launch(inputs)).toMatchObject({ args: ["from outside", "from outside"] });
    expect(inputVariable("a.b-c")).toBe("NEKODE_INPUT_A_B_C");
  });

  it("name what is missing if there is nobody to ask, or the question is dismissed", async () => {
    const nobody = inputsWith(undefined).inputs;
    await expect(launch(nobody)).rejects.toMatchObject({
      fault: { code: "input-unset", values: ["NEKODE_INPUT_API_KEY"] },
    });
    const dismissed = inputsWith(async () => undefined);
    await expect(launch(dismissed.inputs)).rejects.toMatchObject({
      fault: { code: "input-unanswered", values: ["api-key"] },
    });
    expect(dismissed.secrets.values.size).toBe(0);
  });

  it("are not asked for when something else is missing", async () => {
    const { inputs } = inputsWith(noInput);
    const server = serverOf({ command: "${NOPE}", args: ["${input:api-key}"] }, withKey);
    await expect(launch(inputs, server)).rejects.toMatchObject({ fault: { code: "variable-unset" } });
  });

  it("end with the signal, and keep nothing then", async () => {
    const abort = new AbortController();
    const { inputs, secrets } = inputsWith(
      (_server, _input, stop) =>
        new Promise((_, reject) => {
          stop.addEventListener("abort", () => reject(stop.reason));
          abort.abort();
        }),
    );
    await expect(launch(inputs, undefined, abort.signal)).rejects.toBeInstanceOf(Interrupt);
    expect(secrets.values.size).toBe(0);
  });
});
