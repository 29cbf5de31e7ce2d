/**
 * What llama.cpp's cache has of the prompts of one task. llama.cpp is real, and so are the vocabulary and the template of the prompts, which its
 * package brings; the model has random weights, so the played model answers instead. The cache holds what was in earlier prompts: what the
 * model wrote counts as new once, with the next prompt.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it } from "vitest";
import * as z from "zod";
import { Project } from "../cli/support.ts";
import { listenAnew } from "../model-server/port.ts";
import {
  type ModelServer,
  type ScriptPart,
  type ScriptTurn,
  startModelServer,
} from "../model-server/server.ts";
import { writeTable } from "./table.ts";
import { tinyModel } from "./tiny-model.ts";

const run = promisify(execFile);

/** The parts of the package `node-llama-cpp` that this test uses. */
interface Sequence {
  readonly nextTokenIndex: number;
  adaptStateToTokens(tokens: number[], allowShift: boolean): Promise<void>;
  evaluateWithoutGeneratingNewTokens(tokens: number[]): Promise<void>;
  clearHistory(): Promise<void>;
}
interface Llama {
  loadModel(options: { modelPath: string }): Promise<{
    tokenize(text: string, special: boolean): number[];
    createContext(options: object): Promise<{ getSequence(): Sequence }>;
  }>;
  dispose(): Promise<void>;
}
interface Template {
  render(values: object): string;
}

const requestSchema = z.object({
  messages: z.array(
    z.looseObject({
      role: z.string(),
      content: z.union([z.string(), z.array(z.looseObject({ text: z.string() }))]).nullish(),
      tool_calls: z
        .array(z.looseObject({ function: z.object({ name: z.string(), arguments: z.string() }) }))
        .optional(),
    }),
  ),
  tools: z.array(z.unknown()).optional(),
});

interface Evaluated {
  prompt: number;
  cached: number;
}

const rows: (string | number)[][] = [];
let scratch: string;
let llama: Llama;
let tokenize: (text: string) => number[];
let sequence: Sequence;
let template: Template;
let evaluated: Evaluated[];
let model: ModelServer;
let server: http.Server;
let url: string;
let project: Project;

beforeAll(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), "nekode-llama-"));
  const packages = inject("packages");
  // The package brings llama.cpp's repository, with the vocabularies and templates that it is tested with.
  const bundle = path.join(packages, "node-llama-cpp/llama/gitRelease.bundle");
  await run("git", ["clone", "--quiet", "--bare", bundle, path.join(scratch, "git")]);
  const file = async (name: string) => {
    const args = ["-C", path.join(scratch, "git"), "show", `HEAD:models/${name}`];
    return (await run("git", args, { encoding: "buffer", maxBuffer: 100_000_000 })).stdout;
  };
  const modelPath = path.join(scratch, "tiny.gguf");
  await writeFile(modelPath, tinyModel(await file("ggml-vocab-qwen2.gguf")));
  const load = async (name: string) => import(pathToFileURL(path.join(packages, name)).href);
  const { getLlama } = await load("node-llama-cpp/dist/index.js");
  llama = await getLlama({ gpu: false, build: "never", skipDownload: true, progressLogs: false });
  const loaded = await llama.loadModel({ modelPath });
  tokenize = (text) => loaded.tokenize(text, true);
  sequence = (await loaded.createContext({ contextSize: 32_768, batchSize: 512 })).getSequence();
  const { Template } = await load("@huggingface/jinja/dist/index.js");
  template = new Template((await file("templates/Qwen-Qwen2.5-7B-Instruct.jinja")).toString());
}, 300_000);
afterAll(async () => {
  await llama.dispose();
  await rm(scratch, { recursive: true, force: true });
  await writeTable("cache", ["request", "prompt#", "evaluated#", "prompt, XML#", "evaluated, XML#"], rows);
});

beforeEach(async () => {
  evaluated = [];
  await sequence.clearHistory();
  model = await startModelServer();
  server = http.createServer((request, response) => void answer(request, response));
  url = `http://127.0.0.1:${await listenAnew(server)}/v1`;
  project = await Project.create({
    "neko.txt": "a cat\nin a house\n",
    "src.js": Array.from({ length: 60 }, (_, line) => `export const value${line} = ${line};\n`).join(""),
  });
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await model.close();
  await project.remove();
});

/** Evaluates the prompt of a request for an answer; the played model gives the answer, and to all other requests. */
async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const body = Buffer.concat(await request.toArray());
  if (request.url?.endsWith("/chat/completions"))
    await evaluate(requestSchema.parse(JSON.parse(body.toString())));
  const { method, url: path, headers } = request;
  const to = { host: "127.0.0.1", port: model.port, method, path, headers };
  http
    .request(to, (said) => {
      response.writeHead(said.statusCode ?? 502, said.headers);
      said.pipe(response);
    })
    .end(body);
}

async function evaluate({ messages, tools }: z.infer<typeof requestSchema>): Promise<void> {
  const plain = messages.map(({ content, tool_calls: calls, ...message }) => ({
    ...message,
    content: typeof content === "string" ? content : (content ?? []).map(({ text }) => text).join("\n"),
    ...(calls
      ? {
          tool_calls: calls.map(({ function: { name, arguments: args }, ...call }) => ({
            ...call,
            function: { name, arguments: JSON.parse(args) },
          })),
        }
      : {}),
  }));
  const prompt = template.render({ messages: plain, tools: tools ?? null, add_generation_prompt: true });
  const tokens = tokenize(prompt);
  await sequence.adaptStateToTokens(tokens, false);
  const cached = sequence.nextTokenIndex;
  await sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(cached));
  evaluated.push({ prompt: tokens.length, cached });
}

const call = (tool: string, params: Record<string, string>): ScriptTurn => ({
  answer: [{ text: "The next step." }, { tool, params } as ScriptPart],
});
/** A task of ten requests. */
const TURNS: ScriptTurn[] = [
  call("list_files", { path: "." }),
  call("read_file", { path: "neko.txt" }),
  call("replace_in_file", {
    path: "neko.txt",
    diff: "------- SEARCH\na cat\n=======\na dog\n+++++++ REPLACE",
  }),
  call("read_file", { path: "src.js" }),
  call("search_files", { path: ".", regex: "value1" }),
  call("write_to_file", { path: "new.txt", content: "one\ntwo\nthree\n" }),
  call("execute_command", { command: "ls", requires_approval: "false" }),
  call("replace_in_file", {
    path: "src.js",
    diff: "------- SEARCH\nexport const value7 = 7;\n=======\nexport const value7 = 70;\n+++++++ REPLACE",
  }),
  call("read_file", { path: "new.txt" }),
  { answer: [{ tool: "attempt_completion", params: { result: "All done." } }] },
];

it.each(["native", "xml"] as const)(
  "has nearly all of each later prompt, under %s",
  async (protocol) => {
    model.setScript({ turns: TURNS });
    const args = [
      "--protocol",
      protocol,
      "--approve",
      "all",
      "--context-window",
      "32768",
      "change the cat to a dog",
    ];
    const { code, stderr } = await project.start(args, { NEKODE_BASE_URL: url, NEKODE_MODEL: "tiny" }).ended;
    expect(code, stderr).toBe(0);
    expect(model.refusals).toEqual([]);
    expect(evaluated).toHaveLength(10);
    for (const [index, { prompt, cached }] of evaluated.entries()) {
      rows[index] = [...(rows[index] ?? [`${index + 1}`]), prompt, prompt - cached];
      // All of the prompt before but what asks for the answer.
      if (index > 0) expect(cached).toBeGreaterThan((evaluated[index - 1]?.prompt ?? 0) - 10);
    }
    const later = evaluated.slice(1);
    const sum = (of: (each: Evaluated) => number) => later.reduce((all, each) => all + of(each), 0);
    expect(sum(({ cached }) => cached) / sum(({ prompt }) => prompt)).toBeGreaterThan(0.95);
  },
  600_000,
);
