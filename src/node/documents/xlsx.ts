/** Extracts Excel workbooks as text: a heading for each sheet, a line for each row, cells separated by tabs. */
import readWorkbook from "read-excel-file/universal";

/** Rows of one sheet that are included; a sheet may have a million. */
const ROW_LIMIT = 20_000;

export async function xlsxText(bytes: Uint8Array): Promise<string> {
  const sheets = await readWorkbook(new Uint8Array(bytes).buffer);
  return sheets
    .map(({ sheet, data }) => {
      const rows = data.slice(0, ROW_LIMIT).map((row) => row.map(cellText).join("\t").trimEnd());
      const left = data.length - rows.length;
      const note = left > 0 ? `\n(${left} more rows are left out)` : "";
      return `## Sheet ${sheet} (${data.length} rows)\n\n${rows.join("\n")}${note}`;
    })
    .join("\n\n");
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) {
    // A workbook stores a date as a fraction of days, which is slightly inexact.
    const text = new Date(Math.round(value.getTime() / 1000) * 1000).toISOString();
    return text.endsWith("T00:00:00.000Z") ? text.slice(0, 10) : text.slice(0, 19).replace("T", " ");
  }
  return String(value).replace(/[\t\r\n]+/g, " ");
}
