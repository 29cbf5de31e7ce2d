/** What the bench measured: `bench-results.json` as a whole, `docs/figures.json` suite by suite. */
import { z } from "zod";

const resultSchema = z.object({
  suite: z.string(),
  name: z.string(),
  target: z.string(),
  /** Median of the rounds, in milliseconds. */
  ms: z.number(),
  /** The best round, in milliseconds: what the machine can do while nothing else runs on it. */
  bestMs: z.number(),
  baselineMs: z.number(),
  ratio: z.number(),
  /** What one run keeps on the heap, in bytes, and as a multiple of its input. */
  memory: z.object({ bytes: z.number(), multiple: z.number() }).optional(),
});
export type Result = z.infer<typeof resultSchema>;

const tallySchema = z.object({
  kind: z.string(),
  right: z.number(),
  /** Rejected although the edit means exactly one place. */
  refused: z.number(),
  wrong: z.number(),
  /** Of those that are right, the ones that had to be rejected. */
  rejected: z.number(),
});

/** The cases of one kind by their expected verdict, and how many got another one. */
const safetyRowSchema = z.object({
  what: z.enum(["commands", "paths"]),
  kind: z.string(),
  allow: z.number(),
  ask: z.number(),
  deny: z.number(),
  wrong: z.number(),
});
export type SafetyRow = z.infer<typeof safetyRowSchema>;

/** Milliseconds of the command `true`: median and best of the rounds. */
const sandboxCostSchema = z.object({ place: z.string(), ms: z.number(), bestMs: z.number() });
export type SandboxCost = z.infer<typeof sandboxCostSchema>;

/** Recorded commands of one source at the level of safe commands, and how many of their sessions have no command that asks. */
const recordedCommandsSchema = z.object({
  source: z.string(),
  commands: z.number(),
  /** Where there is a sandbox, and where there is none. */
  asks: z.number(),
  asksWithout: z.number(),
  /** Absent: the record does not say which commands belong together. */
  sessions: z.number().optional(),
  unasked: z.number().optional(),
});
export type RecordedCommands = z.infer<typeof recordedCommandsSchema>;

/** What came of texts whose encoding nothing names. */
const triedEncodingSchema = z.object({
  encoding: z.string(),
  texts: z.number(),
  read: z.number(),
  added: z.number(),
  refused: z.number(),
  wrong: z.number(),
});
export type TriedTexts = z.infer<typeof triedEncodingSchema>;

const freshStoreSchema = z.object({
  openMs: z.number(),
  /** The first page of the list. */
  listMs: z.number(),
  /** The first search, which answers from what is ready for it. */
  searchMs: z.number(),
  /** Until everything is ready for searching, and the longest that nothing else had its turn meanwhile. */
  indexMs: z.number(),
  longestPauseMs: z.number(),
  /** Of the process, in bytes, from before it was opened until after it was searched. */
  growth: z.number(),
});
export type FreshStore = z.infer<typeof freshStoreSchema>;

/** A batch over a queue, by the number of worker processes and of kills among them. */
const batchRoundSchema = z.object({
  workers: z.number(),
  kills: z.number(),
  tasks: z.number(),
  seconds: z.number(),
  lost: z.number(),
  doubled: z.number(),
  failed: z.number(),
});

const typingSchema = z.object({
  name: z.string(),
  /** Milliseconds from a key press to the paint that shows it, as the browser's own event timing tells (in steps of 8). */
  worstMs: z.number(),
  p95Ms: z.number(),
  /** Key presses that took 50 ms or longer. */
  slow: z.number(),
  presses: z.number(),
});
export type Typing = z.infer<typeof typingSchema>;

const longSessionSchema = z.object({
  messages: z.number(),
  /** Of the session that it is compared with, in the same run. */
  shortMessages: z.number(),
  /** Milliseconds from a press to the end of the frame that shows what it leads to. */
  times: z.array(
    z.object({
      name: z.string(),
      target: z.string(),
      ms: z.number(),
      bestMs: z.number(),
      shortMs: z.number(),
    }),
  ),
  scrolls: z.array(
    z.object({
      name: z.string(),
      framesPerSecond: z.number(),
      longestMs: z.number(),
      /** Elements of the whole page, at most. */
      elements: z.number(),
    }),
  ),
});
export type LongSession = z.infer<typeof longSessionSchema>;

const callCostSchema = z.object({
  /** Milliseconds over our connection, and without it in the same run: over the bare SDK client, or in the terminal host. */
  ms: z.number(),
  bareMs: z.number(),
});
export type CallCost = z.infer<typeof callCostSchema>;

const sessionCostSchema = z.object({
  /** On the heap, beyond what is in use without the session. */
  bytes: z.number(),
  /** Of one processor. */
  cpuShare: z.number(),
});
export type SessionCost = z.infer<typeof sessionCostSchema>;

const trafficSchema = z.object({
  requests: z.number(),
  /** Bytes of all requests that one message of the user causes. */
  bytesPerTurn: z.number(),
  /** Bytes of a request that the next one does not begin with, in all. */
  brokenBytes: z.number(),
  /** Share of the input tokens that the endpoint reported as cached. */
  cachedShare: z.number(),
});
export type Traffic = z.infer<typeof trafficSchema>;

const symbolCostSchema = z.object({
  /** What the user asks. */
  name: z.string(),
  /** Lines that a search for the name finds, and lines that use the symbol. */
  hits: z.number(),
  uses: z.number(),
  /** Tokens: of the search, of the reading that tells the uses from the other hits (in so many calls), and of the references. */
  search: z.number(),
  read: z.number(),
  reads: z.number(),
  symbols: z.number(),
});
export type SymbolCost = z.infer<typeof symbolCostSchema>;

const sentTokensSchema = z.object({
  agent: z.string(),
  /** Of all requests, those that no earlier request began with, and those of the first request. */
  sent: z.number(),
  fresh: z.number(),
  first: z.number(),
});
export type SentTokens = z.infer<typeof sentTokensSchema>;

const tokenCostSchema = z.object({
  script: z.string(),
  requests: z.number(),
  agents: z.array(sentTokensSchema),
  /** The largest parts of the last request that Nekode sent. */
  parts: z.array(z.object({ name: z.string(), tokens: z.number() })),
});
export type TokenCost = z.infer<typeof tokenCostSchema>;

const comparedSchema = z.object({
  name: z.string(),
  unit: z.enum(["ms", "CPU ms", "MB", "bytes", "times"]),
  target: z.string(),
  /** Median and best of the rounds. */
  value: z.number(),
  best: z.number(),
  /** Something plain that was measured in the same rounds; absent where the figure is a count. */
  plain: z.object({ name: z.string(), value: z.number(), best: z.number() }).optional(),
});
export type Compared = z.infer<typeof comparedSchema>;

/** How a cost grows with the size of what it is paid for. */
const curveSchema = z.object({
  name: z.string(),
  /** What is counted. */
  size: z.string(),
  unit: z.enum(["ms", "MB"]),
  target: z.string(),
  points: z.array(z.object({ size: z.number(), value: z.number() })),
  /** The power of the size with which the cost grows. */
  exponent: z.number(),
});
export type Curve = z.infer<typeof curveSchema>;

const measurementsSchema = z.object({
  date: z.string(),
  machine: z.object({ node: z.string(), cpu: z.string(), cores: z.number() }),
  results: z.array(resultSchema),
  edits: z.array(tallySchema).optional(),
  safety: z.array(safetyRowSchema).optional(),
  sandbox: z
    .object({ costs: z.array(sandboxCostSchema).optional(), recorded: z.array(recordedCommandsSchema) })
    .optional(),
  encodings: z.array(triedEncodingSchema).optional(),
  /** Bytes written for one more message, by the number of messages in the session. */
  bytesWritten: z.record(z.string(), z.number()).optional(),
  freshStore: freshStoreSchema.optional(),
  typing: z.array(typingSchema).optional(),
  longSession: longSessionSchema.optional(),
  /** Bytes of minified script, by the name of what loads it. */
  sizes: z.record(z.string(), z.number()).optional(),
  /** The size of a prompt without a conversation, by what it contains. */
  prompts: z.record(z.string(), z.object({ bytes: z.number(), tokens: z.number() })).optional(),
  /** What it costs to learn where a symbol is used. */
  symbols: z.array(symbolCostSchema).optional(),
  /** What scripts of tasks send, beside other agents. */
  tokens: z.array(tokenCostSchema).optional(),
  /** What a session sends, by API. */
  traffic: z.record(z.string(), trafficSchema).optional(),
  /** What a call of an MCP tool costs, by what is measured. */
  calls: z.record(z.string(), callCostSchema).optional(),
  /** What a message costs over the Agent Client Protocol, compared with the terminal host, by what is measured. */
  roundTrips: z.record(z.string(), callCostSchema).optional(),
  batch: z.array(batchRoundSchema).optional(),
  /** How long the panel takes in VS Code, compared with a view that shows one empty text area, by what is measured. */
  panelStarts: z.record(z.string(), callCostSchema).optional(),
  /** What one open session costs, by its state. */
  openSessions: z.record(z.string(), sessionCostSchema).optional(),
  /** What work costs when a task starts another one for it, compared with one task, by what is measured. */
  childTasks: z.record(z.string(), callCostSchema).optional(),
  growth: z.array(curveSchema).optional(),
  /** What the terminal host costs as a process. */
  startup: z.array(comparedSchema).optional(),
});
export type Measurements = z.infer<typeof measurementsSchema>;

/** By the name of the suite. */
export const figuresSchema = z.record(z.string(), measurementsSchema);
export type Figures = z.infer<typeof figuresSchema>;
