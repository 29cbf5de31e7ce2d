/**
 * What five scripts of tasks send, in tokens: by Nekode, which plays them against the played model, and in the request shapes of two other
 * agents, computed from their measured sizes.
 */
import { z } from "zod";
import type { ScriptTurn } from "../../model-server/server.ts";
import { startAgent } from "../../support/agent.ts";
import type { SentTokens, TokenCost } from "../report.ts";
import { PEERS, type PeerShape } from "./peer-shapes.ts";
import { type ScriptStep, TASK_SCRIPTS, type TaskScript } from "./scripts.ts";

/** Of the other agents only bytes are known, so the tokens of all are estimated from bytes. */
const BYTES_PER_TOKEN = 4;
const MOST_PARTS = 5;

const requestSchema = z.object({
  messages: z.array(
    z.looseObject({
      role: z.string(),
      content: z.union([z.string(), z.array(z.looseObject({ text: z.string() }))]).nullish(),
      tool_calls: z
        .array(
          z.looseObject({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }),
        )
        .optional(),
      tool_call_id: z.string().optional(),
    }),
  ),
  tools: z.array(z.unknown()),
});
type SentRequest = z.infer<typeof requestSchema>;

const json = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
/** A text within a JSON string. */
const inString = (text: string) => json(text) - 2;
/** A text within the JSON of arguments, which are a JSON string themselves. */
const inArguments = (text: string) => inString(JSON.stringify(text).slice(1, -1));

/** The pieces of a prompt that a cache would compare, in order. */
const pieces = ({ tools, messages }: SentRequest): string[] =>
  [tools, ...messages].map((part) => JSON.stringify(part));

const sizeOf = (parts: readonly string[]) => parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);

export async function tokenCosts(): Promise<TokenCost[]> {
  const costs: TokenCost[] = [];
  for (const script of TASK_SCRIPTS) {
    const { requests, results } = await played(script);
    const agents = [ours(requests), ...PEERS.map((peer) => theirs(script, results, peer))];
    costs.push({ script: script.name, requests: requests.length, agents, parts: partsOf(requests.at(-1)) });
  }
  return costs;
}

/** Our requests, and what each search found in the form `path:line:text`, which other agents' commands print. */
async function played(script: TaskScript): Promise<{ requests: SentRequest[]; results: string[] }> {
  const results: string[] = [];
  const outputs = script.steps.flatMap((step) => (step.kind === "command" ? [step] : []));
  const agent = await startAgent({
    protocol: "native",
    files: { ...script.files },
    approval: { edit: true, commandSafe: true, commandAll: true, maxRequests: 1_000 },
    script: { turns: [...script.steps.map(turnOf), answerOf(script)] },
    async run(_command, _signal, onOutput) {
      const step = outputs.shift();
      if (!step) throw new Error(`${script.name}: a command runs that the script does not have`);
      const [from, to] = step.renames ?? [];
      if (from !== undefined && to !== undefined)
        for (const [file, text] of agent.files) agent.files.set(file, text.replaceAll(from, to));
      if (step.output !== "") onOutput(step.output);
      return step.exitCode;
    },
    before: ({ host, files }) => {
      host.search.grep = async (folder, { regex, contextLines }) => {
        const hits = [...files]
          .filter(([file]) => file.startsWith(`${folder}/`))
          .flatMap(([file, text]) => {
            const lines = linesFound(text, new RegExp(regex), contextLines);
            return lines.length > 0 ? [{ path: file.slice(folder.length + 1), lines }] : [];
          });
        const found = hits.flatMap(({ path, lines }) =>
          lines.flatMap(({ match, number, text }) =>
            match ? [`${folder.slice("/project/".length)}/${path}:${number}:${text}\n`] : [],
          ),
        );
        results.push(found.join(""));
        return { hits, matches: found.length, more: false };
      };
    },
  });
  try {
    await agent.view.send(script.task);
    const end = await agent.view.active.idle;
    if (end?.type !== "completed") throw new Error(`${script.name}: the task ended as ${end?.type}`);
    const failed = agent.calls().filter(({ state }) => state === "failed");
    if (failed.length > 0) throw new Error(`${script.name}: ${failed.length} calls failed`);
    return {
      requests: agent.server.requests.map(({ text }) => requestSchema.parse(JSON.parse(text))),
      results,
    };
  } finally {
    await agent.close();
  }
}

function linesFound(text: string, regex: RegExp, context: number) {
  const lines = text.split("\n");
  const matches = lines.map((line) => regex.test(line));
  return lines.flatMap((line, index) => {
    const isNear = matches.slice(Math.max(0, index - context), index + context + 1).includes(true);
    return isNear ? [{ number: index + 1, text: line, match: matches[index] === true }] : [];
  });
}

function turnOf(step: ScriptStep, index: number): ScriptTurn {
  const words = step.says === "" ? [] : [{ text: step.says }];
  return {
    match: { request: index + 1 },
    answer: [...words, { nativeTool: { ...callOf(step), id: `call_${index + 1}` } }],
  };
}

function answerOf({ answer, steps }: TaskScript): ScriptTurn {
  const id = `call_${steps.length + 1}`;
  return { answer: [{ nativeTool: { name: "attempt_completion", params: { result: answer }, id } }] };
}

function callOf(step: ScriptStep): { name: string; params: Record<string, string | boolean> } {
  switch (step.kind) {
    case "read":
      return { name: "read_file", params: { path: step.path } };
    case "search":
      return { name: "search_files", params: { path: step.path, regex: step.pattern } };
    case "edit": {
      const diff = `------- SEARCH\n${step.old}\n=======\n${step.new}\n+++++++ REPLACE`;
      return { name: "replace_in_file", params: { path: step.path, diff } };
    }
    case "write":
      return { name: "write_to_file", params: { path: step.path, content: step.content } };
    case "command":
      return { name: "execute_command", params: { command: step.command, requires_approval: false } };
  }
}

function ours(requests: readonly SentRequest[]): SentTokens {
  const prompts = requests.map(pieces);
  let fresh = 0;
  for (const [n, prompt] of prompts.entries()) {
    const before = prompts[n - 1] ?? [];
    const changed = prompt.findIndex((piece, index) => piece !== before[index]);
    fresh += changed < 0 ? 0 : sizeOf(prompt.slice(changed));
  }
  return tokens("Nekode", sizeOf(prompts.flat()), fresh, sizeOf(prompts[0] ?? []));
}

/** The same steps in the shape of another agent. What a search found is `results`, in order. */
function theirs({ task, steps, files }: TaskScript, results: readonly string[], peer: PeerShape): SentTokens {
  const found = [...results];
  const texts = new Map(Object.entries(files));
  const first = peer.fixed + inString(task);
  let size = first;
  let sent = size;
  for (const step of steps) {
    size += wordsOf(step, peer) + stepBytes(step, { texts, found, peer });
    sent += size;
  }
  return tokens(peer.name, sent, size, first);
}

/** The envelope of a call was measured with the words of the model before it. */
const wordsOf = ({ says }: ScriptStep, { message }: PeerShape) => (says === "" ? -message : inString(says));

interface PeerState {
  /** The files as they are at this step. */
  texts: Map<string, string>;
  /** What the searches that follow find. */
  found: string[];
  peer: PeerShape;
}

function stepBytes(step: ScriptStep, { texts, found, peer }: PeerState): number {
  const around = peer.step[step.kind];
  switch (step.kind) {
    case "read":
      return around + inArguments(step.path) + resultBytes(texts.get(step.path) ?? "", peer);
    case "search":
      return (
        around + inArguments(`rg -n '${step.pattern}' ${step.path}`) + resultBytes(found.shift() ?? "", peer)
      );
    case "edit": {
      const lines = `${step.old}\n${step.new}`.split("\n").length;
      const paths = inArguments(step.path) + peer.editPaths * inString(step.path);
      texts.set(
        step.path,
        (texts.get(step.path) ?? "").replace(step.old, () => step.new),
      );
      // The measured edits have one line on each side.
      return around + paths + inArguments(step.old) + inArguments(step.new) + peer.editLine * (lines - 2);
    }
    case "write": {
      const paths = inArguments(step.path) + peer.editPaths * inString(step.path);
      texts.set(step.path, step.content);
      return around + paths + inArguments(step.content) + peer.editLine * step.content.split("\n").length;
    }
    case "command": {
      const [from, to] = step.renames ?? [];
      if (from !== undefined && to !== undefined)
        for (const [file, text] of texts) texts.set(file, text.replaceAll(from, to));
      const ended = step.exitCode === 0 ? 0 : peer.failed;
      return around + ended + inArguments(step.command) + resultBytes(step.output, peer);
    }
  }
}

function resultBytes(text: string, { most, cutNotice, silent }: PeerShape): number {
  if (text === "") return silent;
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return inString(text);
  return inString(bytes.subarray(0, most).toString()) + cutNotice;
}

const estimated = (bytes: number) => Math.round(bytes / BYTES_PER_TOKEN);

function tokens(agent: string, sent: number, fresh: number, first: number): SentTokens {
  return { agent, sent: estimated(sent), fresh: estimated(fresh), first: estimated(first) };
}

/** The largest parts of a request by name. What is around the texts is the envelope. */
function partsOf(request: SentRequest | undefined): { name: string; tokens: number }[] {
  const parts = new Map<string, number>();
  const add = (name: string, bytes: number) => parts.set(name, (parts.get(name) ?? 0) + bytes);
  if (!request) return [];
  const names = new Map<string, string>();
  add("tools", json(request.tools));
  for (const message of request.messages) {
    let envelope = json(message);
    const of = (name: string, text: string) => {
      add(name, inString(text));
      envelope -= inString(text);
    };
    const contents = message.content ?? [];
    const called = names.get(message.tool_call_id ?? "") ?? "";
    for (const text of typeof contents === "string" ? [contents] : contents.map((part) => part.text)) {
      of(partName(message.role, text, called), text);
    }
    for (const { id, function: call } of message.tool_calls ?? []) {
      names.set(id, call.name);
      of(`arguments of ${call.name}`, call.arguments);
    }
    add("envelope", envelope);
  }
  return [...parts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_PARTS)
    .map(([name, bytes]) => ({ name, tokens: estimated(bytes) }));
}

function partName(role: string, text: string, called: string): string {
  if (role === "system") return "instructions";
  if (role === "tool") return `results of ${called}`;
  if (role === "assistant") return "words of the model";
  return text.startsWith("<environment_details>") ? "environment" : "words of the user";
}

export function tokenCostsText(costs: readonly TokenCost[]): string {
  return costs
    .flatMap(({ script, requests, agents, parts }) => [
      `${script}, ${requests} requests`,
      ...agents.map(
        ({ agent, sent, fresh, first }) =>
          `  ${agent}: ${sent} tokens sent, ${fresh} of them new, ${first} in the first request`,
      ),
      `  largest parts: ${parts.map((part) => `${part.name} ${part.tokens}`).join(", ")}`,
    ])
    .join("\n");
}
