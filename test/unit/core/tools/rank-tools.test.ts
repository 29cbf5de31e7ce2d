/** Which tool of the servers a query finds first, on lists like those of published servers. */
import { describe, expect, it } from "vitest";
import { type NamedTool, rankTools } from "../../../../src/core/tools/servers/rank-tools.ts";
import { serverTool } from "../../../support/memory-servers.ts";

const SERVERS: Record<string, Record<string, string>> = {
  git: {
    git_status: "Shows the working tree status",
    git_diff_unstaged: "Shows changes in the working directory that are not yet staged",
    git_diff_staged: "Shows changes that are staged for commit",
    git_commit: "Records changes to the repository",
    git_add: "Adds file contents to the staging area",
    git_log: "Shows the commit logs",
    git_create_branch: "Creates a new branch from an optional base branch",
    git_checkout: "Switches branches",
    git_branch: "List Git branches",
  },
  notion: {
    "API-retrieve-a-page": "Retrieve a page",
    "API-retrieve-page-markdown":
      "Retrieve a page as Markdown. The page is converted with all of its blocks.",
    "API-patch-page": "Update page properties",
    "API-post-page": "Create a page",
    "API-get-block-children": "Retrieve block children",
    "API-post-search": "Search by title",
    "API-create-a-comment": "Create comment",
    "API-retrieve-a-database": "Retrieve a database",
  },
  charts: {
    generate_bar_chart:
      "Generate a horizontal bar chart to show data for numerical comparisons among different categories",
    generate_line_chart: "Generate a line chart to show trends over time",
    generate_pie_chart: "Generate a pie chart to show the proportion of parts",
    generate_mind_map:
      "Generate a mind map chart to organize and present information in a hierarchical structure",
    generate_flow_diagram: "Generate a flow diagram chart to show the steps of a process",
  },
  mongodb: {
    find: "Run a find query against a MongoDB collection",
    "insert-many": "Insert an array of documents into a MongoDB collection",
    "delete-many": "Removes all documents that match the filter from a MongoDB collection",
    "collection-schema": "Describe the schema for a collection",
    "list-collections": "List all collections for a given database",
    aggregate: "Run an aggregation against a MongoDB collection",
  },
  chrome: {
    take_screenshot: "Take a screenshot of the page or element.",
    navigate_page: "Navigates the currently selected page to a URL.",
    list_network_requests: "List all requests for the currently selected page since the last navigation.",
    performance_start_trace: "Starts a performance trace recording on the selected page.",
    fill_form: "Fill out multiple form elements at once",
    list_console_messages: "List all console messages for the currently selected page.",
  },
};

const tools: NamedTool[] = Object.entries(SERVERS).flatMap(([server, all]) =>
  Object.entries(all).map(([name, description]) => ({
    server,
    tool: serverTool(name, { description }),
  })),
);

const found = (query: string) => rankTools(tools, query).map(({ tool }) => tool.name);

describe("the first tool that a query finds", () => {
  it.each([
    ["Retrieve a page", "API-retrieve-a-page"],
    ["retrieve page as markdown", "API-retrieve-page-markdown"],
    ["create a comment", "API-create-a-comment"],
    ["create a new page in notion", "API-post-page"],
    ["update a page", "API-patch-page"],
    ["search notion by title", "API-post-search"],
    ["record a commit", "git_commit"],
    ["show commit history log", "git_log"],
    ["list branches", "git_branch"],
    ["create branch", "git_create_branch"],
    ["switch to another branch", "git_checkout"],
    ["bar chart", "generate_bar_chart"],
    ["mind map", "generate_mind_map"],
    ["chart of trends over time", "generate_line_chart"],
    ["insert documents into a collection", "insert-many"],
    ["delete documents", "delete-many"],
    ["schema of a collection", "collection-schema"],
    ["collections of a database", "list-collections"],
    ["take a screenshot", "take_screenshot"],
    ["open a url", "navigate_page"],
    ["network requests", "list_network_requests"],
    ["console messages", "list_console_messages"],
    ["fill out a form", "fill_form"],
    ["git_status", "git_status"],
    ["find", "find"],
  ])("%s: %s", (query, name) => {
    expect(found(query)[0]).toBe(name);
  });
});

it("leaves out tools that match badly", () => {
  expect(found("take a screenshot")).toEqual(["take_screenshot"]);
  expect(found("Retrieve a page").length).toBeLessThan(6);
});

it("lists the tools of a server by its name, and nothing for words that no tool has", () => {
  expect(found("charts")).toHaveLength(5);
  expect(new Set(found("git"))).toEqual(new Set(Object.keys(SERVERS.git ?? {})));
  expect(found("zebra")).toEqual([]);
});
