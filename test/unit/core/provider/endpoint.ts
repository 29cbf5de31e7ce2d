/** An endpoint that says exactly what a test wants, byte for byte, and what our client makes of it. */

import http from "node:http";
import { Readable } from "node:stream";
import { ProviderError } from "../../../../src/core/errors.ts";
import { firstPlan, formAdaptations } from "../../../../src/core/provider/adaptations.ts";
import { ModelProfiles } from "../../../../src/core/provider/model-profile.ts";
import type { ModelRequest, StreamPart } from "../../../../src/core/provider/provider.ts";
import { sendAdapting } from "../../../../src/core/provider/send-adapting.ts";
import { systemClock } from "../../../../src/node/clock.ts";
import type { ApiKind } from "../../../../src/shared/models/connection.ts";
import type { ModelFacts } from "../../../../src/shared/models/facts.ts";
import { settingsSchema } from "../../../../src/shared/settings.ts";
import { listenAnew } from "../../../model-server/port.ts";
import { answered } from "../../../support/answered.ts";
import { modelAt } from "../../../support/connections.ts";
import { delta } from "../../../support/raw-stream.ts";

interface Said {
  status?: number;
  headers?: Record<string, string>;
  /** Pieces are sent for as long as the client reads. */
  body: string | Buffer | Iterable<string | Buffer> | AsyncIterable<string | Buffer>;
}
interface Heard {
  url: string;
  headers: http.IncomingHttpHeaders;
  body: Record<string, unknown>;
}

export interface Endpoint {
  url: string;
  heard: Heard[];
  /** How many connections were opened. */
  connections(): number;
  /** Plays the answers in turn, the last one for ever. */
  say(...answers: Said[]): void;
  /** What comes of a request: the parts, or the error. */
  ask(options?: {
    api?: ApiKind;
    baseUrl?: string;
    model?: string;
    apiKey?: string | undefined;
    provider?: Record<string, unknown>;
    request?: Partial<ModelRequest>;
    facts?: ModelFacts;
  }): Promise<{ parts: StreamPart[]; text: string; error?: ProviderError }>;
  close(): void;
}

export const ended = delta({}, "stop");
export const SSE = { "content-type": "text/event-stream" };

export async function startEndpoint(): Promise<Endpoint> {
  const profiles = new ModelProfiles();
  let answers: Said[] = [];
  const heard: Heard[] = [];
  const server = http.createServer(
    answered((request, response, sent) => {
      heard.push({ url: request.url ?? "", headers: request.headers, body: JSON.parse(sent || "{}") });
      const {
        status = 200,
        headers = SSE,
        body,
      } = (answers.length > 1 ? answers.shift() : answers[0]) ?? {
        body: "",
      };
      response.writeHead(status, headers);
      if (typeof body === "string" || Buffer.isBuffer(body)) response.end(body);
      else
        Readable.from(body)
          .on("error", () => undefined)
          .pipe(response);
    }),
  );
  let connections = 0;
  server.on("connection", () => {
    connections++;
  });
  const url = `http://127.0.0.1:${await listenAnew(server)}/v1`;
  return {
    url,
    heard,
    connections: () => connections,
    say: (...next) => {
      answers = next;
    },
    async ask({
      api = "chat",
      baseUrl = url,
      model = "m",
      apiKey = "key",
      request = {},
      facts = {},
      ...more
    } = {}) {
      const { provider } = settingsSchema.parse({ provider: more.provider });
      const choice = modelAt(baseUrl, model, { api, headers: provider.headers });
      const parts: StreamPart[] = [];
      const text = () => parts.map((part) => (part.type === "text" ? part.delta : "")).join("");
      const whole = { system: "s", messages: [], tools: [], protocol: "native" as const, ...request };
      const profile = profiles.of(choice);
      const target = { ...choice, facts, provider, apiKey, clock: systemClock };
      const { signal } = new AbortController();
      const { failed } = await sendAdapting(firstPlan(profile, "native"), formAdaptations(profile), profile, {
        async send({ quirks }) {
          try {
            for await (const part of profile.api.stream(target, whole, quirks, signal)) parts.push(part);
            return { result: undefined };
          } catch (error) {
            if (!(error instanceof ProviderError)) throw error;
            return { result: undefined, failed: { error, shown: parts.length > 0, images: 0 } };
          }
        },
        wait: async () => undefined,
      });
      return { parts, text: text(), ...(failed ? { error: failed.error } : {}) };
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
