// Core does not depend on an editor: this empty module turns every import from "vscode", value or type, into a compile
// error.
export {};
