/** The models that a message is for: `@connection/id` at its head, or `/ask connection/id`. */
import { connectionsOf, EDITOR_CONNECTION, type ModelSettings, modelName, modelNamed } from "./connection.ts";

export interface AskedModels {
  /** Names such as `connection/id`, without repetition; empty: the current model. */
  names: string[];
  /** The message without them. */
  text: string;
}

const ASK = /^\s*\/ask\s+@?(\S+)\s*/;
const HEAD = /^\s*@([^\s/@:]+\/\S+)\s*/;

/** Reads the head of a message; a head without a message after it is the message. A name whose first segment is no connection is not a model, such as `@name:/path`. */
export function askedModels(message: string, settings: ModelSettings): AskedModels {
  const ask = ASK.exec(message);
  if (ask?.[1] !== undefined && ask[0].length < message.trimEnd().length) {
    return { names: [modelName(modelNamed(ask[1], settings))], text: message.slice(ask[0].length) };
  }
  const connections = new Set([...connectionsOf(settings), EDITOR_CONNECTION].map(({ name }) => name));
  const names = new Set<string>();
  let text = message;
  for (let head = HEAD.exec(text); head?.[1] !== undefined; head = HEAD.exec(text)) {
    if (!connections.has(head[1].slice(0, head[1].indexOf("/")))) break;
    names.add(head[1]);
    text = text.slice(head[0].length);
  }
  return names.size === 0 || text.trim() === "" ? { names: [], text: message } : { names: [...names], text };
}
