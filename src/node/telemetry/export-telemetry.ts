/**
 * Exports the telemetry of a project, to a collector or a file. It is a bundle of its own, with copies of all that it imports. Nothing here
 * delays or fails a task: what cannot be exported is dropped, and said once.
 */
import { randomBytes } from "node:crypto";
import { appendFile } from "node:fs/promises";
import os from "node:os";
import { messageOf } from "../../core/errors.ts";
import type { RequestObserver } from "../../core/ports/request-observer.ts";
import type { Log } from "../../core/ports/system.ts";
import {
  type Measurement,
  metricsJson,
  type Source,
  type Span,
  tracesJson,
} from "../../core/telemetry/otlp.ts";
import { TaskTelemetry } from "../../core/telemetry/task-telemetry.ts";
import { headersIn, type TelemetryTarget } from "./telemetry-target.ts";
import { tracedEndpoint } from "./traced-endpoint.ts";

/** Spans that wait to be exported. What is beyond is dropped. */
const MOST_WAITING = 2_000;
const TIMEOUT_MS = 10_000;
/** Milliseconds that the end of the program waits for the last export. */
const LAST_MS = 2_000;

export interface TelemetryOptions {
  target: TelemetryTarget;
  environment: NodeJS.ProcessEnv;
  version: string;
  log: Log;
}

export interface RunningTelemetry {
  observer: RequestObserver;
  /** Exports the rest. Resolves soon, whatever the collector does; never rejects. */
  close(): Promise<void>;
}

export function startTelemetry(options: TelemetryOptions): RunningTelemetry {
  const { target } = options;
  const queue = new ExportQueue(options);
  const telemetry = new TaskTelemetry({
    now: () => performance.timeOrigin + performance.now(),
    randomHex: (bytes) => randomBytes(bytes).toString("hex"),
    endpointOf: tracedEndpoint,
    content: target.content,
    ended: (span, measurements) => queue.add(span, measurements),
    settled: () => void queue.flush(),
  });
  return { observer: telemetry, close: () => queue.close() };
}

class ExportQueue {
  readonly #options: TelemetryOptions;
  readonly #source: Source;
  #spans: Span[] = [];
  #measurements: Measurement[] = [];
  #sinceMs = Date.now();
  #exporting: Promise<void> = Promise.resolve();
  #isSaid = false;
  readonly #stop = new AbortController();

  constructor(options: TelemetryOptions) {
    this.#options = options;
    this.#source = { resource: resourceOf(options), version: options.version };
  }

  add(span: Span, measurements: readonly Measurement[]): void {
    if (this.#spans.length >= MOST_WAITING) return;
    this.#spans.push(span);
    this.#measurements.push(...measurements);
  }

  /** One export after the other. Never rejects. */
  flush(): Promise<void> {
    this.#exporting = this.#exporting.then(() => this.#export());
    return this.#exporting;
  }

  async close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, LAST_MS);
    });
    await Promise.race([this.flush(), late]);
    clearTimeout(timer);
    this.#stop.abort();
  }

  async #export(): Promise<void> {
    const [spans, measurements] = [this.#spans, this.#measurements];
    if (spans.length === 0) return;
    [this.#spans, this.#measurements] = [[], []];
    const times = { sinceMs: this.#sinceMs, nowMs: Date.now() };
    this.#sinceMs = times.nowMs;
    try {
      await this.#send("traces", tracesJson(spans, this.#source));
      await this.#send("metrics", metricsJson(measurements, times, this.#source));
    } catch (error) {
      this.#say(messageOf(error));
    }
  }

  async #send(signal: "traces" | "metrics", body: object): Promise<void> {
    const { target } = this.#options;
    const text = JSON.stringify(body);
    if ("file" in target) {
      await appendFile(target.file, `${text}\n`, { mode: 0o600 });
      return;
    }
    const response = await fetch(`${target.endpoint.replace(/\/+$/, "")}/v1/${signal}`, {
      method: "POST",
      headers: { ...target.headers, "content-type": "application/json" },
      body: text,
      redirect: "error",
      signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), this.#stop.signal]),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the collector answered ${response.status}`);
  }

  #say(why: string): void {
    if (this.#isSaid || this.#stop.signal.aborted) return;
    this.#isSaid = true;
    const { target, log } = this.#options;
    const place = "file" in target ? target.file : new URL(target.endpoint).origin;
    log.error(`telemetry was not exported to ${place}: ${why}`);
  }
}

function resourceOf({ environment, version }: TelemetryOptions): Source["resource"] {
  return {
    "service.name": environment.OTEL_SERVICE_NAME || "nekode",
    "service.version": version,
    "os.type": os.platform(),
    ...headersIn(environment.OTEL_RESOURCE_ATTRIBUTES ?? ""),
  };
}
