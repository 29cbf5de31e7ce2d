import type { Script, ScriptPart } from "../server.ts";

/** Launches a browser at the address, clicks once, closes it and completes. */
export function browserScript(url: string, coordinate: string): Script {
  const act = (params: Record<string, string>): ScriptPart[] => [{ tool: "browser_action", params }];
  const answers: ScriptPart[][] = [
    [{ text: "I will look at the page." }, ...act({ action: "launch", url })],
    act({ action: "click", coordinate }),
    act({ action: "close" }),
    [{ tool: "attempt_completion", params: { result: "The page works, but its console reports an error." } }],
  ];
  return { turns: answers.map((answer, index) => ({ match: { request: index + 1 }, answer })) };
}
