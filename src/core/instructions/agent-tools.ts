/** What other products call tools, and what of ours each name stands for. */
import type { ToolSelector } from "../../shared/session-agent.ts";

const named = (...names: string[]): ToolSelector[] => names.map((name) => ({ of: "tool", name }));
const kind = (name: Extract<ToolSelector, { of: "access" }>["name"]): ToolSelector[] => [
  { of: "access", name },
];

const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== "");

/** Names without signs and in lower case, with what they stand for. Nothing: every agent has that, or needs no tool for it. */
const MEANINGS: readonly (readonly [names: string, tools: readonly ToolSelector[]])[] = [
  ["read search view notebookread codesearch", kind("read")],
  ["readfile fileread readnotebookcelloutput getnotebooksummary", named("read_file")],
  ["grep textsearch searchfiles codebase semanticsearch searchresults findtestfiles", named("search_files")],
  ["usages", named("search_files", "code_symbols")],
  ["lsp codesymbols", named("code_symbols")],
  ["glob ls list listdirectory listdir listfiles filesearch", named("list_files")],
  ["listcodedefinitionnames", named("list_code_definition_names")],
  ["bashoutput terminallastcommand terminalselection getterminaloutput readterminal", named("read_terminal")],
  [
    `edit editfiles write writefile writetofile multiedit notebookedit editnotebook createfile createdirectory createjupyternotebook
     patch applypatch applydiff replaceinfile strreplaceeditor new newworkspace deletefile newrule rename refactorcode insertcontent`,
    kind("edit"),
  ],
  [
    `bash powershell shell execute command terminal executecommand runcommands runcommand runinterminal runtasks runtask
     createandruntask runtests runnotebooks runnotebookcell killshell killterminal`,
    kind("command"),
  ],
  ["web", kind("web")],
  ["webfetch fetch fetchwebpage", named("web_fetch")],
  ["websearch", named("web_search")],
  ["browser browseraction opensimplebrowser openbrowserpage simplebrowser", named("browser_action")],
  ["mcp usemcptool accessmcpresource", kind("mcp")],
  ["agent task runsubagent customagent starttask newtask", named("start_task")],
  ["skill skills useskill activateskill", named("use_skill")],
  [
    `todo todos todowrite todoread managetodolist askuserquestion askquestions askfollowupquestion exitplanmode think
     attemptcompletion planmoderespond condense`,
    [],
  ],
];

const BY_NAME: ReadonlyMap<string, readonly ToolSelector[]> = new Map(
  MEANINGS.flatMap(([names, tools]) => words(names).map((name) => [name, tools] as const)),
);

/** Sets of tools of VS Code, which stand before the names of their tools. */
const SETS: ReadonlySet<string> = new Set(
  words("read search edit execute web agent todo browser vscode new"),
);

/** Tools that stand for all of them. */
const ALL: ReadonlySet<string> = new Set(["*", "all"]);

export interface NamedTools {
  tools: readonly ToolSelector[];
  /** What stands in parentheses after the name: the beginning of a command, a pattern of files. */
  pattern?: string;
}

/** The tools that an entry such as `Read`, `Bash(git log *)`, `edit/editFiles` or `github/*` names; undefined: there are none here. */
export function toolsNamed(entry: string): NamedTools | "all" | undefined {
  const [, name = "", pattern] = /^([^()]*)(?:\((.*)\))?$/s.exec(entry.trim()) ?? [];
  if (ALL.has(name.toLowerCase())) return "all";
  const tools = ofServer(name) ?? meaning(name);
  if (!tools) return undefined;
  return { tools, ...(pattern === undefined || pattern.trim() === "*" ? {} : { pattern }) };
}

/** `mcp__server__tool`, `server/tool` and `server/*`. */
function ofServer(name: string): ToolSelector[] | undefined {
  const [, claude, ofClaude] = /^mcp__(.+?)(?:__(.+))?$/.exec(name) ?? [];
  if (claude !== undefined) return [serverTools(claude, ofClaude)];
  const at = name.lastIndexOf("/");
  const server = name.slice(0, Math.max(at, 0));
  if (server === "" || SETS.has(plain(server))) return undefined;
  return [serverTools(server, name.slice(at + 1))];
}

function serverTools(name: string, tool: string | undefined): ToolSelector {
  return tool === undefined || tool === "*" || tool === ""
    ? { of: "server", name }
    : { of: "server", name, tool };
}

function meaning(name: string): readonly ToolSelector[] | undefined {
  const own = BY_NAME.get(plain(name.slice(name.lastIndexOf("/") + 1)));
  if (own || !name.includes("/")) return own;
  // A tool of a set that has no other name here.
  return BY_NAME.get(plain(name.slice(0, name.indexOf("/"))));
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}
