// What a step reports to the runner of GitHub Actions: outputs, a summary, and lines of the log.
import { randomBytes } from "node:crypto";
import { appendFile } from "node:fs/promises";

/** Characters of the answer in outputs and summary: GitHub accepts comments of this length. */
const LONGEST = 60_000;
/** Bytes of an output: a later step gets it in a variable, which Linux limits to 128 KiB. */
const MOST_BYTES = 120_000;

/**
 * @typedef {object} Report as `docs/json-events.schema.json` has it
 * @property {string | null} session
 * @property {string} status
 * @property {string} answer
 * @property {unknown} [output]
 * @property {{ path: string, kind: string }[]} files
 * @property {number} requests
 * @property {number | null} cost
 * @property {{ command: string, exit: number | null }[]} checks
 * @property {{ tool: string, subject: string, shown?: string }} [approval]
 * @property {{ code: string, text: string }} [error]
 */

/**
 * Writes the lines of a program between two marks. Outside of them, a line that begins with :: is a command for the runner.
 * @param {() => Promise<number>} program
 */
export async function withoutCommands(program) {
  const token = randomBytes(16).toString("hex");
  process.stdout.write(`::stop-commands::${token}\n`);
  try {
    return await program();
  } finally {
    process.stdout.write(`\n::${token}::\n`);
  }
}

/**
 * @param {string | undefined} file GITHUB_OUTPUT
 * @param {Record<string, string>} values
 */
export async function writeOutputs(file, values) {
  if (file === undefined) return;
  // Nobody can guess it, so no value ends early.
  const end = `end-${randomBytes(16).toString("hex")}`;
  const entries = Object.entries(values).map(([name, value]) => `${name}<<${end}\n${value}\n${end}\n`);
  await appendFile(file, entries.join(""));
}

/**
 * JSON that is too long cannot be cut, so it is left out, and a line of the log says so.
 * @param {Report | undefined} report undefined: the run ended before it began
 * @param {{ exit: number, file: string, dataDir: string, isReview?: boolean }} run
 * @returns {Record<string, string>}
 */
export function outputsOf(report, { exit, file, dataDir, isReview = false }) {
  const json = report && "output" in report ? JSON.stringify(report.output) : "";
  const isLong = Buffer.byteLength(json) > MOST_BYTES;
  if (isLong) process.stdout.write(`::warning::The output is too long for a step; it is in ${file}.\n`);
  return {
    status: report?.status ?? "failed",
    "exit-code": String(exit),
    answer: cut(report?.answer ?? ""),
    output: isLong ? "" : json,
    review: isReview && report ? reviewOf(report) : "",
    session: report?.session ?? "",
    cost: report?.cost == null ? "" : String(report.cost),
    requests: String(report?.requests ?? 0),
    report: report ? file : "",
    "data-dir": dataDir,
  };
}

/**
 * @typedef {object} Finding as `docs/review.schema.json` has it
 * @property {string} path
 * @property {"new" | "old"} side
 * @property {number} startLine
 * @property {number} endLine
 * @property {string} severity
 * @property {string} title
 * @property {string} body
 * @property {string} [suggestion]
 */

/**
 * The review as the body of GitHub's request "Create a review for a pull request": the summary, and a comment on the lines of each
 * finding, as many as fit into an output. "": nothing was reviewed.
 * @param {Report} report
 */
export function reviewOf({ answer, output }) {
  if (answer === "") return "";
  const review = /** @type {{ folder: string, findings: Finding[] } | undefined} */ (output);
  const comments = (review?.findings ?? []).map((finding) => commentOf(finding, review?.folder ?? ""));
  const parts = answer.split("\n\n");
  for (;;) {
    // With all comments on their lines, the summary need not repeat them.
    const isWhole = comments.length === (review?.findings.length ?? 0) && comments.length > 0;
    const body = isWhole ? `${parts[0]}\n\n${parts.at(-1)}` : cut(answer);
    const json = JSON.stringify({ event: "COMMENT", body, comments });
    if (Buffer.byteLength(json) <= MOST_BYTES || comments.length === 0) return json;
    comments.pop();
  }
}

/** @param {Finding} finding @param {string} folder */
function commentOf({ path, side, startLine, endLine, severity, title, body, suggestion }, folder) {
  const of = side === "new" ? "RIGHT" : "LEFT";
  const text = suggestion === undefined ? body : `${body}\n\nSuggestion: ${suggestion}`;
  return {
    path: folder === "" ? path : `${folder}/${path}`,
    ...(startLine === endLine ? {} : { start_line: startLine, start_side: of }),
    line: endLine,
    side: of,
    body: cut(`**${severity}: ${title.replace(/[*_`]/g, "\\$&")}**\n\n${text}`),
  };
}

/** @param {Report} report */
export function summaryOf(report) {
  const { answer, approval, checks, cost, error, files, requests, session, status } = report;
  const facts = [
    ["Status", status],
    ...(approval ? [["Waits for approval", `${approval.tool} ${approval.subject}`]] : []),
    ...(error ? [["Error", error.text]] : []),
    ...files.map(({ path, kind }) => [`File ${kind}`, path]),
    ...checks.map(({ command, exit }) => ["Command", `${command} (exit code ${exit ?? "not known"})`]),
    ["Requests", String(requests)],
    ...(cost === null ? [] : [["Cost", `${cost.toFixed(4)} USD`]]),
    ...(session === null ? [] : [["Session", session]]),
  ];
  const rows = facts.map(([name = "", value = ""]) => `| ${cell(name)} | ${cell(value)} |`);
  return ["## Nekode", "", "| | |", "| --- | --- |", ...rows, "", cut(answer), ""].join("\n");
}

/** Text of the model or of files, as it is. @param {string} text */
function cell(text) {
  const plain = text.slice(0, 500).replace(/\s+/g, " ");
  return plain.replace(/[\\`*_{}[\]<>#|~@&!]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

/** @param {string} text */
function cut(text) {
  // No character has more than three bytes for each of its units.
  const most = Buffer.byteLength(text.slice(0, LONGEST)) > MOST_BYTES ? MOST_BYTES / 3 : LONGEST;
  return text.length > most ? `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "")}\n\n…` : text;
}
