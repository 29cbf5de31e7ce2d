/** Merges findings that say the same, so that none is listed twice. */
import { type ReviewFinding, SEVERITIES } from "../../../shared/review.ts";

/** Two titles with this share of common pairs of characters say the same. Pairs of characters, because not all languages separate words. */
const SAME_TITLE = 0.7;

/** In the order for the user. The better one of two that say the same stays. */
export function mergedFindings(findings: readonly ReviewFinding[]): ReviewFinding[] {
  const merged: ReviewFinding[] = [];
  for (const finding of [...findings].sort(byWorth)) {
    const same = merged.findIndex((other) => saysTheSame(other, finding));
    if (same < 0) merged.push(finding);
  }
  return merged.sort(inOrder);
}

function saysTheSame(a: ReviewFinding, b: ReviewFinding): boolean {
  if (a.path !== b.path || a.side !== b.side) return false;
  if (a.startLine > b.endLine || b.startLine > a.endLine) return false;
  return likeness(a.title, b.title) >= SAME_TITLE || likeness(a.body, b.body) >= SAME_TITLE;
}

/** The graver and more certain one first. */
function byWorth(a: ReviewFinding, b: ReviewFinding): number {
  return rank(a) - rank(b) || b.confidence - a.confidence;
}

function inOrder(a: ReviewFinding, b: ReviewFinding): number {
  return rank(a) - rank(b) || compare(a.path, b.path) || a.startLine - b.startLine || compare(a.side, b.side);
}

const rank = ({ severity }: ReviewFinding) => SEVERITIES.indexOf(severity);
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Dice's coefficient of the pairs of letters and digits: 1 for the same text, 0 for no pair in common. */
function likeness(a: string, b: string): number {
  const [one, two] = [pairsOf(a), pairsOf(b)];
  if (one.size + two.size === 0) return a.trim() === b.trim() ? 1 : 0;
  const common = [...one].filter((pair) => two.has(pair)).length;
  return (2 * common) / (one.size + two.size);
}

function pairsOf(text: string): ReadonlySet<string> {
  const characters = [...text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "")];
  return new Set(characters.slice(1).map((character, index) => `${characters[index]}${character}`));
}
