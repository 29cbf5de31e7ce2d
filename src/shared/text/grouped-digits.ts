/**
 * A number as English writes it, with commas between thousands and at most three decimals, as in `1,047.576`. The runtime's own format
 * loads the tables of all locales first, which takes ten milliseconds.
 */
export function groupedDigits(value: number): string {
  const [whole = "", decimals] = String(Math.round(value * 1_000) / 1_000).split(".");
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ",");
  return decimals === undefined ? grouped : `${grouped}.${decimals}`;
}
