import type OpenAI from "openai";
import type { ModelServer } from "../../model-server/server.ts";
import { clientOf, stream } from "./client.ts";

export interface Call {
  tool: string;
  params: Record<string, string>;
}

export interface AgentOptions {
  protocol: "native" | "xml";
  mode?: "plan" | "act";
  files?: Record<string, string>;
  /** What becomes of a call; undefined: it is carried out on the files. */
  veto?: (call: Call) => string | undefined;
}

const TOOLS: Record<string, string[]> = {
  read_file: ["path"],
  write_to_file: ["path", "content"],
  replace_in_file: ["path", "diff"],
  list_files: ["path", "recursive"],
  search_files: ["path", "regex"],
  execute_command: ["command", "requires_approval", "timeout"],
  ask_followup_question: ["question", "options"],
  attempt_completion: ["result"],
  plan_mode_respond: ["response"],
};

/** An agent in small: enough to play a script to its end over real HTTP, by either protocol, on files in memory. */
export class Agent {
  readonly files: Map<string, string>;
  /** All calls, oldest first. */
  readonly calls: Call[] = [];
  /** All text of the model, reasoning included. */
  text = "";
  mode: "plan" | "act";
  readonly #client: OpenAI;
  readonly #options: AgentOptions;
  readonly #messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: "system", content: "You are an agent." },
  ];

  constructor(server: ModelServer, options: AgentOptions) {
    this.#client = clientOf(server);
    this.#options = options;
    this.mode = options.mode ?? "act";
    this.files = new Map(Object.entries(options.files ?? {}));
  }

  /** Sends the user's words and goes on until the model is done; returns the last call, if any. */
  async say(words: string): Promise<Call | undefined> {
    const tag = this.#messages.length === 1 ? "task" : "feedback";
    this.#messages.push({
      role: "user",
      content: [
        { type: "text", text: words.startsWith("<task>") ? words : `<${tag}>\n${words}\n</${tag}>` },
        { type: "text", text: this.#environment() },
      ],
    });
    for (let step = 0; step < 30; step += 1) {
      const calls = await this.#step();
      const last = calls.at(-1);
      if (last === undefined) return undefined;
      const isOpenQuestion =
        last.tool === "ask_followup_question" && this.#options.veto?.(last) === undefined;
      if (isOpenQuestion || /^(attempt_completion|plan_mode_respond)$/.test(last.tool)) return last;
    }
    throw new Error("the model did not come to an end");
  }

  #environment(): string {
    const names = [...this.files.keys()].join("\n");
    return `<environment_details>\n# Files\n${names}\n\n# Current Mode\n${this.mode.toUpperCase()} MODE\n</environment_details>`;
  }

  async #step(): Promise<Call[]> {
    const native = this.#options.protocol === "native";
    const tools = Object.entries(TOOLS).map(([name, params]): OpenAI.ChatCompletionFunctionTool => {
      const properties = Object.fromEntries(params.map((param) => [param, {}]));
      return { type: "function", function: { name, parameters: { type: "object", properties } } };
    });
    const answer = await stream(this.#client, { messages: this.#messages, ...(native ? { tools } : {}) });
    this.text += answer.reasoning + answer.content;
    if (native) {
      const calls = answer.calls.map((call) => ({ tool: call.name, params: JSON.parse(call.arguments) }));
      this.#messages.push({
        role: "assistant",
        content: answer.content || null,
        ...(answer.calls.length === 0
          ? {}
          : {
              tool_calls: answer.calls.map(({ id, name, arguments: text }) => ({
                id,
                type: "function" as const,
                function: { name, arguments: text },
              })),
            }),
      });
      answer.calls.forEach(({ id }, index) => {
        const call = calls[index];
        if (call !== undefined)
          this.#messages.push({ role: "tool", tool_call_id: id, content: this.#run(call) });
      });
      return calls;
    }
    this.#messages.push({ role: "assistant", content: answer.content });
    const calls = xmlCalls(answer.content);
    const results = calls.flatMap((call) => {
      const target = call.params.path ?? call.params.command;
      const label = target === undefined ? call.tool : `${call.tool} for '${target}'`;
      return [`[${label}] Result:`, this.#run(call)].map((text) => ({ type: "text" as const, text }));
    });
    if (results.length > 0) this.#messages.push({ role: "user", content: results });
    return calls;
  }

  #run(call: Call): string {
    this.calls.push(call);
    const { path = "", content = "", diff = "", command = "" } = call.params;
    const vetoed = this.#options.veto?.(call);
    if (vetoed !== undefined) return vetoed;
    const text = this.files.get(path);
    switch (call.tool) {
      case "list_files":
        return [...this.files.keys()].join("\n") || "(empty)";
      case "search_files": {
        const wanted = new RegExp(String(call.params.regex));
        const found = [...this.files].filter(([, content]) => wanted.test(content));
        return `Found in ${found.length} files.`;
      }
      case "read_file":
        return text ?? `There is no ${path}.`;
      case "write_to_file":
        this.files.set(path, content);
        return `Saved.\n\n<final_file_content path="${path}">\n${content}\n</final_file_content>`;
      case "replace_in_file": {
        let edited = text ?? "";
        for (const [, search = "", replace = ""] of diff.matchAll(
          /------- SEARCH\n([\s\S]*?)\n=======\n([\s\S]*?)\n\+{7} REPLACE/g,
        )) {
          if (!edited.includes(search)) return `Nothing was changed: no such lines:\n${search}`;
          edited = edited.replaceAll(search, replace);
        }
        this.files.set(path, edited);
        return `Saved.\n\n<final_file_content path="${path}">\n${edited}</final_file_content>`;
      }
      case "execute_command":
        return `Exit code 0.\noutput of ${command}`;
      default:
        return "Shown.";
    }
  }
}

/** Reads well-formed calls. */
function xmlCalls(text: string): Call[] {
  const names = Object.keys(TOOLS).join("|");
  return [...text.matchAll(new RegExp(`<(${names})>([\\s\\S]*?)</\\1>`, "g"))].map(
    ([, tool = "", inner = ""]) => ({
      tool,
      params: Object.fromEntries(
        [...inner.matchAll(/<(\w+)>\n?([\s\S]*?)\n?<\/\1>\n?(?=<\w+>|$)/g)].map(
          ([, name = "", value = ""]) => [name, value],
        ),
      ),
    }),
  );
}
