/** Excel workbooks: a heading for each sheet, a line for each row, cells parted by tabs. */
import readWorkbook from "read-excel-file/universal";

/** Rows of one sheet that are told; a sheet may be a million long. */
const rowLimit = 20_000;

export async function xlsxText(bytes: Uint8Array): Promise<string> {
  const sheets = await readWorkbook(new Uint8Array(bytes).buffer);
  return sheets
    .map(({ sheet, data }) => {
      const rows = data.slice(0, rowLimit).map((row) => row.map(cellText).join("\t").trimEnd());
      const left = data.length - rows.length;
      const note = left > 0 ? `\n(${left} more rows are left out)` : "";
      return `## Sheet ${sheet} (${data.length} rows)\n\n${rows.join("\n")}${note}`;
    })
    .join("\n\n");
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) {
    // A workbook keeps a moment as a fraction of days, which falls a little short of it or beyond.
    const text = new Date(Math.round(value.getTime() / 1000) * 1000).toISOString();
    return text.endsWith("T00:00:00.000Z") ? text.slice(0, 10) : text.slice(0, 19).replace("T", " ");
  }
  return String(value).replace(/[\t\r\n]+/g, " ");
}
