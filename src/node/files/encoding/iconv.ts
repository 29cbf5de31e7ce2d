/** The library of encodings, whose tables are large: it loads with the first file or output that is not in UTF-8. */
export const iconv = (): typeof import("iconv-lite") => require("iconv-lite");
