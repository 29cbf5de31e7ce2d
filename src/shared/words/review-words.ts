/** Words about a review, and a review as text: in Markdown, and for a terminal. */
import type { NotReviewed, ReviewFinding, ReviewProgress, ReviewReport, Severity } from "../review.ts";
import { SEVERITIES } from "../review.ts";
import type { Translate } from "./task-words.ts";

export function severityText(t: Translate, severity: Severity): string {
  switch (severity) {
    case "important":
      return t("Important");
    case "nit":
      return t("Nit");
    case "pre-existing":
      return t("Pre-existing");
  }
}

export function notReviewedText(t: Translate, why: NotReviewed): string {
  switch (why) {
    case "binary":
      return t("not text");
    case "generated":
      return t("generated");
    case "too-large":
      return t("too large");
    case "private":
      return t("private");
    case "deleted":
      return t("deleted");
    case "incomplete":
      return t("the diff is too large");
    case "outside":
      return t("outside the project's folder");
    case "limit":
      return t("a limit was reached");
    case "no-answer":
      return t("the model's answer could not be read");
    case "failed":
      return t("the request failed");
  }
}

export function reviewFailureText(
  t: Translate,
  code:
    | "no-repository"
    | "unknown-folder"
    | "unknown-revision"
    | "no-common-commit"
    | "nothing-to-review"
    | "limit",
  detail: string,
): string {
  switch (code) {
    case "no-repository":
      return t("There is no Git repository to review, or this folder is not trusted.");
    case "unknown-folder":
      return t("There is no folder named {0} in this workspace.", detail);
    case "unknown-revision":
      return t("There is no commit, branch or tag named {0}.", detail);
    case "no-common-commit":
      return t("The current commit and {0} have no commit in common.", detail);
    case "nothing-to-review":
      return detail === ""
        ? t("There are no changes to review.")
        : t(
            "There are no changes to review in {0}. Send /review --in FOLDER to review another folder.",
            detail,
          );
    case "limit":
      return t("The cost limit has been reached. You can raise it in Settings.");
  }
}

/** How many findings of each severity there are, such as "3 findings: 1 important, 2 nits". */
export function findingCounts(t: Translate, findings: readonly Pick<ReviewFinding, "severity">[]): string {
  if (findings.length === 0) return t("No findings");
  const counts = SEVERITIES.flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return count === 0 ? [] : [`${severityText(t, severity)}: ${count}`];
  });
  return `${t("Findings: {0}", findings.length)} (${counts.join(", ")})`;
}

/** The path with its lines; removed lines are marked. */
export function findingPlace({ path, side, startLine, endLine }: ReviewFinding): string {
  const lines = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
  return side === "old" ? `${path} (-${lines})` : `${path}:${lines}`;
}

/** What is known about how sure a finding is. */
export function certaintyText(t: Translate, { confidence, verified }: ReviewFinding): string {
  const percent = `${Math.round(confidence * 100)}%`;
  return verified ? t("{0}, confirmed", percent) : t("{0}, not checked", percent);
}

export function reviewProgressText(t: Translate, { step, files, done, all }: ReviewProgress): string {
  const count = all > 1 ? ` (${done + 1}/${all})` : "";
  const names = files.join(", ");
  return step === "reviewing"
    ? t("Reviewing {0}{1}", names, count)
    : t("Checking the findings in {0}{1}", names, count);
}

function costText(t: Translate, { cost, requests, inputTokens, outputTokens }: ReviewReport): string {
  const price =
    cost === null ? t("{0} tokens", (inputTokens + outputTokens).toLocaleString("en")) : usd(cost);
  return t("Requests: {0}, cost: {1}", requests, price);
}

const usd = (cost: number) => `$${cost.toFixed(cost >= 1 ? 2 : 4)}`;

/** What was reviewed, what was not, what was left out, and what it cost. */
function footLines(t: Translate, report: ReviewReport): string[] {
  const { reviewed, notReviewed, dropped, ended } = report;
  const left = [
    ...(dropped.refuted > 0 ? [t("refuted: {0}", dropped.refuted)] : []),
    ...(dropped.unplaced > 0 ? [t("not on changed lines: {0}", dropped.unplaced)] : []),
    ...(dropped.repeated > 0 ? [t("repeated: {0}", dropped.repeated)] : []),
  ];
  const others = notReviewed.map(({ path, why }) => `${path} (${notReviewedText(t, why)})`);
  return [
    ...(ended === "limit" ? [t("The review ended early because a limit was reached.")] : []),
    ...(ended === "failed" ? [t("The review ended early because a request to the model failed.")] : []),
    t("Reviewed files: {0}", reviewed.length),
    ...(others.length > 0 ? [t("Not reviewed: {0}", others.join(", "))] : []),
    ...(left.length > 0 ? [t("Left out findings: {0}", left.join(", "))] : []),
    costText(t, report),
  ];
}

/** Text of the model or names of files, without effect on the Markdown around it. */
function plainMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|~@&!]/g, (mark) => `\\${mark}`).replace(/\s+/g, " ");
}

/** For the panel, where the places are links, and for comments of a pull request (`links` is false). */
export function reviewMarkdown(t: Translate, report: ReviewReport, { links }: { links: boolean }): string {
  const groups = SEVERITIES.flatMap((severity) => {
    const findings = report.findings.filter((finding) => finding.severity === severity);
    if (findings.length === 0) return [];
    const items = findings.map((finding) => findingItem(t, finding, links));
    return [`### ${severityText(t, severity)}`, items.join("\n\n")];
  });
  const foot = footLines(t, report).map(plainMarkdown);
  return [`**${findingCounts(t, report.findings)}**`, ...groups, foot.join(" · ")].join("\n\n");
}

function findingItem(t: Translate, finding: ReviewFinding, links: boolean): string {
  const { path, title, body, suggestion, startLine, newLine, side } = finding;
  const line = side === "new" ? startLine : newLine;
  const place = plainMarkdown(findingPlace(finding));
  const target = `${path.split("/").map(encodeURIComponent).join("/")}${line === undefined ? "" : `#L${line}`}`;
  const head = `- ${links ? `[${place}](${target})` : place}: **${plainMarkdown(title)}** (${certaintyText(t, finding)})`;
  const parts = [body, ...(suggestion === undefined ? [] : [`${t("Suggestion:")} ${suggestion}`])];
  const text = parts.flatMap((part) => ["", ...part.split(/\r?\n/)]).map((each) => `  ${each}`.trimEnd());
  return [head, ...text].join("\n");
}

/** For a terminal: `line` makes a line of text that others wrote safe to print. */
export function reviewText(t: Translate, report: ReviewReport, line: (text: string) => string): string {
  const findings = report.findings.map((finding) => {
    const { severity, title, body, suggestion } = finding;
    const facts = `${severityText(t, severity)}, ${certaintyText(t, finding)}`;
    const parts = [body, ...(suggestion === undefined ? [] : [`${t("Suggestion:")} ${suggestion}`])];
    const text = parts.flatMap((part) => part.split(/\r?\n/)).map((each) => `    ${line(each)}`);
    return `${[`${line(findingPlace(finding))}  ${line(title)} (${facts})`, ...text].join("\n")}\n`;
  });
  const foot = [findingCounts(t, report.findings), ...footLines(t, report)].map(line).join("\n");
  return [...findings, `${foot}\n`].join("\n");
}

/** What the user sends to have a finding corrected or explained. The same words as in the thread, so that the model needs no other context. */
export function findingMessage(t: Translate, finding: ReviewFinding, wants: "fix" | "explain"): string {
  const { title, body, suggestion, lineText } = finding;
  const place = findingPlace(finding);
  const head =
    wants === "fix"
      ? t("Fix this finding of the review, and nothing else:")
      : t("Explain this finding of the review without changing anything:");
  return [
    head,
    "",
    `${place}: ${title}`,
    "",
    ...quoted(body),
    ...(suggestion === undefined ? [] : ["", ...quoted(`${t("Suggestion:")} ${suggestion}`)]),
    "",
    `${t("The line:")} \`${lineText.trim().replaceAll("`", "'")}\``,
  ].join("\n");
}

const quoted = (text: string) => text.split(/\r?\n/).map((line) => `> ${line}`);
