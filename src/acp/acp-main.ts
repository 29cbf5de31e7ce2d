/** `nekode acp`: the agent for editors, over standard input and output. */
import { Readable, Writable } from "node:stream";
import { onEndSignal } from "../node/end-signals.ts";
import { type AcpParts, missingSetup } from "./acp-parts.ts";
import { boundedStream } from "./bounded-stream.ts";
import { AgentV1 } from "./v1/agent-v1.ts";

export type { AcpParts } from "./acp-parts.ts";

/** Resolves when the editor has closed the connection or the process is asked to end, and everything is on disk. */
export async function serveAcp(parts: AcpParts): Promise<void> {
  const { input, output, signals } = parts;
  // Only the SDK loads on demand. If all of `src/acp` did, the bundler would make every module that it shares with the terminal host
  // initialize on demand, and each command would start later.
  const sdk = await import("./acp-sdk.ts");
  const agent = new AgentV1(sdk, parts);
  // Nothing else may read or write these streams: that would break the protocol.
  const stream = sdk.ndJsonStream(
    Writable.toWeb(output),
    Readable.toWeb(input) as ReadableStream<Uint8Array>,
  );
  const connection = agent.app.connect(boundedStream(stream));
  const close = () => connection.close();
  const endSignal = onEndSignal(signals, close);
  output.on("error", close);
  try {
    await connection.closed;
  } finally {
    await agent.sessions.closeAll();
    endSignal.dispose();
    input.destroy();
  }
}

/** What `nekode acp --setup` prints, and whether the agent can be used. */
export function describeSetup(parts: AcpParts): { text: string; isReady: boolean } {
  const { t } = parts;
  const missing = missingSetup(parts);
  if (missing === undefined)
    return { text: t("Nekode is set up. Start the agent again in the editor."), isReady: true };
  const how = t("Set it in the environment of the editor, or run nekode config, and start the agent again.");
  return { text: `${missing}\n${how}`, isReady: false };
}
