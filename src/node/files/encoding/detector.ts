/** The detector of encodings, which is large and loaded when the first file needs it. */
export { detectAll } from "jschardet";
