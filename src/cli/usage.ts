/** What `nekode --help` prints. */
import { ENDPOINT_APIS } from "../shared/models/endpoint-apis.ts";

export const USAGE = `Usage: nekode [options] [TASK]
       nekode answer ID yes|no approve or reject the call of a paused session; see nekode answer --help
       nekode judge COMMAND    show whether a command runs without asking, and why; see nekode judge --help
       nekode mcp COMMAND      manage MCP servers; see nekode mcp --help
       nekode hooks COMMAND    approve and test hooks; see nekode hooks --help
       nekode lsp COMMAND      list and approve language servers; see nekode lsp --help
       nekode skills           list the skills and commands of this project and yours; see nekode skills --help
       nekode rules            list the instruction files that apply to this project; see nekode rules --help
       nekode memory COMMAND   show or delete what is remembered about this project; see nekode memory --help
       nekode tools            list all tools with their tokens, and switch them; see nekode tools --help
       nekode agents           list the agents of this project and yours; see nekode agents --help
       nekode plugin COMMAND   install and manage plugins; see nekode plugin --help
       nekode doctor [URL]     check what a model can do; see nekode doctor --help
       nekode config COMMAND   show or change the configuration; see nekode config --help
       nekode review           review changes before they are committed or merged; see nekode review --help
       nekode replay ID        run the tool calls of a session again and list what differs; see nekode replay --help
       nekode worktree COMMAND review and end the worktrees of tasks; see nekode worktree --help
       nekode import           import sessions of Claude Code, Cline and others; see nekode import --help
       nekode acp [options]    run in an editor, over the Agent Client Protocol; see nekode acp --help
       nekode batch FILE       run many tasks; see nekode batch --help
       nekode worker           run tasks of batches on other machines; see nekode worker --help
       nekode policy           show what the administrator of this computer manages; see nekode policy --help
       nekode completion SHELL print a script that completes commands and options; see nekode completion --help

If TASK is "-", nekode reads it from standard input. Without TASK, nekode asks for tasks on the terminal, one after
another. Type /help there to list commands such as /undo.

  --cwd DIR              project folder (default: current folder)
  --base-url URL         base URL of an OpenAI-compatible endpoint (NEKODE_BASE_URL)
  --api API              the API of --base-url: ${ENDPOINT_APIS.join(", ")} (default: chat)
  --model NAME           name of the model, or CONNECTION/NAME (NEKODE_MODEL)
  --protocol P           how the model calls tools: auto, native or xml (default: auto)
  --mode M               plan or act
  --agent NAME           agent of the session: one that nekode agents lists
  --approve LIST         what runs without asking, separated by commas:
                         read,edit,command-read,command-safe,command,web,mcp, or all, or none
                         (default: read,command-read: read-only commands in the sandbox)
  --permission LEVEL     ask (reads without asking), edits (also edits), safe (also safe commands) or all; in place
                         of --approve
  --sandbox MODE         where commands run that need no approval: auto (in a sandbox if there is one; default),
                         required (only there) or off
  --private-hosts LIST   hosts on this computer or a private network that pages may be fetched from, separated by
                         commas, such as localhost:3000
  --search-provider P    search that the model may use: brave, tavily or searxng (NEKODE_SEARCH_PROVIDER)
  --search-url URL       address of the SearXNG server (NEKODE_SEARCH_URL)
  --memory on|off        read and write notes about the project for later tasks (default: on; off in a run in which
                         nobody can be asked, so that it does not depend on earlier ones)
  --max-requests N       stop after N model requests (default: 50 a message; none if everything runs without asking)
  --max-cost USD         stop when the task has cost this amount
  --timeout SECONDS      stop after this time
  --context-window N     context window in tokens, if the endpoint does not report it (NEKODE_CONTEXT_WINDOW)
  --max-output-tokens N  maximum length of an answer in tokens (default: the endpoint's own limit)
  --temperature T        sampling temperature from 0 to 2 (default: the endpoint's own)
  --json                 write events to standard output as JSON, one per line; the last line is a report of the run
  --report FILE          write that report to FILE
  --output-schema FILE   make the final answer JSON that matches the JSON schema in FILE; without --json, standard
                         output contains only that JSON
  --list                 list the sessions of this project; those of subtasks are indented below their parent task
  --search TEXT          list the sessions that contain all words of TEXT, best match first
  --sort ORDER           order of the list: newest, oldest, cost, tokens or relevance
  --favorites            list favorites only
  --all-projects         list and export sessions of other projects too
  --resume ID            continue a session
  --continue             continue the latest session
  --worktree             start the task in its own Git worktree and branch; see nekode worktree --help
  --take-over            continue the session even if it is open in another window or terminal
  --rename ID NAME       rename a session
  --favorite ID, --unfavorite ID
                         add a session to the favorites, or remove it
  --delete ID, --undelete ID
                         delete a session, or restore it within a day
  --export ID            write a session to standard output
  --format F             format of the export: md, json, atif (a trajectory) or script (default: md)
  --export-dir DIR       write the export to a file in this folder, and the images of a trajectory beside it
  --import FILE          import a session that was exported as JSON
  --data-dir DIR         folder that stores the sessions (NEKODE_DATA_DIR)
  --config-dir DIR       folder of your configuration: config.json, mcp.json, lsp.json (NEKODE_CONFIG_DIR)
  --help, --version      print this help, or the version

Options take precedence over environment variables, which take precedence over config.json.

Set NEKODE_API_KEY to the API key of the endpoint, and NEKODE_SEARCH_API_KEY to that of the search provider.
OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY, OPENROUTER_API_KEY, MISTRAL_API_KEY, DEEPSEEK_API_KEY, GROQ_API_KEY
and XAI_API_KEY are used only for the addresses of these services. Each makes a connection with that name available.

Exit codes: 0 completed, 1 error, 2 invalid usage, 3 stopped by a limit, 4 paused because an approval or an answer was
required and nobody could be asked (continue with --resume), 130 interrupted.
`;
