/**
 * Parts of tools that load with the first call that needs them. They are a bundle of their own, with copies of all that they import: so
 * nothing in them imports zod, throws an error that others recognize by its class, or keeps a state.
 */
export { issueReport, issueReportText } from "../issue-report/issue-report.ts";
export { withCellChange } from "./notebooks/notebook-changes.ts";
export { notebookText, outputsText } from "./notebooks/notebook-text.ts";
export { editorReport } from "./tests/editor-report.ts";
export { testCommand } from "./tests/test-command.ts";
