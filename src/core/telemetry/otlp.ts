/** Spans and metrics in the JSON form of the OpenTelemetry protocol (OTLP). Times are nanoseconds since 1970, as decimal text. */

export type AttributeValue = string | number | boolean | readonly string[];
export type SpanAttributes = Readonly<Record<string, AttributeValue | undefined>>;

/** As numbers of the protocol. */
export const SPAN_KIND = { internal: 1, client: 3 } as const;
const STATUS_ERROR = 2;
/** Each export has what was measured since the last one. */
const DELTA = 1;

export interface Span {
  /** Hexadecimal. */
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: (typeof SPAN_KIND)[keyof typeof SPAN_KIND];
  /** Milliseconds since 1970. */
  startMs: number;
  endMs: number;
  attributes: SpanAttributes;
  isError: boolean;
}

export interface Measurement {
  metric: MetricName;
  value: number;
  attributes: SpanAttributes;
}

/** Boundaries as the conventions for generative AI advise. */
const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864];

const METRICS = {
  "gen_ai.client.operation.duration": { unit: "s", bounds: SECONDS },
  "gen_ai.client.operation.time_to_first_chunk": { unit: "s", bounds: SECONDS },
  "gen_ai.client.token.usage": { unit: "{token}", bounds: TOKENS },
  "gen_ai.invoke_agent.duration": { unit: "s", bounds: SECONDS },
  "gen_ai.execute_tool.duration": { unit: "s", bounds: SECONDS },
} as const;
export type MetricName = keyof typeof METRICS;

export interface Source {
  /** Of the resource, such as `service.name`. */
  resource: SpanAttributes;
  version: string;
}

/** The body of a request to `/v1/traces`. */
export function tracesJson(spans: readonly Span[], source: Source): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributeList(source.resource) },
        scopeSpans: [{ scope: scopeOf(source), spans: spans.map(spanJson) }],
      },
    ],
  };
}

/** The body of a request to `/v1/metrics`. `sinceMs`: when the last export was made. */
export function metricsJson(
  measurements: readonly Measurement[],
  { sinceMs, nowMs }: { sinceMs: number; nowMs: number },
  source: Source,
): object {
  const names = [...new Set(measurements.map(({ metric }) => metric))];
  const times = { startTimeUnixNano: nanoseconds(sinceMs), timeUnixNano: nanoseconds(nowMs) };
  const metrics = names.map((name) => {
    const { unit, bounds } = METRICS[name];
    const series = grouped(measurements, name);
    const dataPoints = [...series.values()].map(({ attributes, values }) => ({
      ...times,
      attributes,
      count: String(values.length),
      sum: values.reduce((sum, value) => sum + value, 0),
      min: Math.min(...values),
      max: Math.max(...values),
      explicitBounds: bounds,
      bucketCounts: bucketsOf(values, bounds).map(String),
    }));
    return { name, unit, histogram: { aggregationTemporality: DELTA, dataPoints } };
  });
  return {
    resourceMetrics: [
      {
        resource: { attributes: attributeList(source.resource) },
        scopeMetrics: [{ scope: scopeOf(source), metrics }],
      },
    ],
  };
}

/** The values with the same attributes. */
function grouped(
  measurements: readonly Measurement[],
  name: MetricName,
): Map<string, { attributes: object[]; values: number[] }> {
  const series = new Map<string, { attributes: object[]; values: number[] }>();
  for (const { metric, value, attributes } of measurements) {
    if (metric !== name) continue;
    const listed = attributeList(attributes);
    const key = JSON.stringify(listed);
    const known = series.get(key);
    if (known) known.values.push(value);
    else series.set(key, { attributes: listed, values: [value] });
  }
  return series;
}

/** A value on a boundary belongs to the bucket below it. */
function bucketsOf(values: readonly number[], bounds: readonly number[]): number[] {
  const counts = new Array<number>(bounds.length + 1).fill(0);
  for (const value of values) {
    const found = bounds.findIndex((bound) => value <= bound);
    const at = found < 0 ? bounds.length : found;
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts;
}

function scopeOf({ version }: Source): object {
  return { name: "nekode", version };
}

function spanJson({ startMs, endMs, attributes, isError, ...span }: Span): object {
  return {
    ...span,
    startTimeUnixNano: nanoseconds(startMs),
    endTimeUnixNano: nanoseconds(endMs),
    attributes: attributeList(attributes),
    ...(isError ? { status: { code: STATUS_ERROR } } : {}),
  };
}

function nanoseconds(ms: number): string {
  return `${BigInt(Math.round(ms * 1000)) * 1000n}`;
}

function attributeList(attributes: SpanAttributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: valueJson(value) }],
  );
}

function valueJson(value: AttributeValue): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number")
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { arrayValue: { values: value.map((each) => ({ stringValue: each })) } };
}
