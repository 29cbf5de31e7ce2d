// Core has no editor: this empty module makes every import from "vscode", value or type, a compile error.
export {};
