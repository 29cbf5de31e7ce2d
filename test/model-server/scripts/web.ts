import type { Script } from "../server.ts";

/** One web_fetch for each URL, in order, then attempt_completion. */
export function webScript(...urls: string[]): Script {
  return {
    turns: [
      ...urls.map((url, index) => ({
        match: { request: index + 1 },
        answer: [{ tool: "web_fetch", params: { url } }],
      })),
      { answer: [{ tool: "attempt_completion", params: { result: "Read." } }] },
    ],
  };
}
