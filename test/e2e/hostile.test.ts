/** What a model must not be able to do to the panel and its host. */
import { expect, it } from "vitest";
import { inUsualWindow, panel, server, vscode } from "./support/usual-window.ts";

const BAD = "http://127.0.0.1:9/hostile";
const hostileMarkdown = [
  "# Begin of it",
  `![remote](${BAD}/image.png)`,
  `![[x]](${BAD}/nested.png "t")`,
  `<img src="${BAD}/html.png" onerror="console.error('hostile ran')">`,
  "<script>console.error('hostile ran')</script>",
  `<iframe src="${BAD}/frame"></iframe><object data="${BAD}/object"></object><embed src="${BAD}/embed">`,
  `<link rel="stylesheet" href="${BAD}/style.css"><style>@import url(${BAD}/import.css);</style>`,
  `<form action="${BAD}/form"><button>press</button></form><base href="${BAD}/">`,
  "<svg onload=\"console.error('hostile ran')\"><use href='#x'/></svg>",
  "<details open ontoggle=\"console.error('hostile ran')\">x</details>",
  "[run](javascript:console.error('hostile%20ran'))",
  "[data](data:text/html,<script>console.error('hostile ran')</script>)",
  "[command](command:workbench.action.files.newUntitledFile)",
  "[file](file:///etc/passwd)",
  `[ref]: ${BAD}/ref.png`,
  "![ref]",
  "```mermaid",
  "graph TD",
  `  A["<img src='${BAD}/mermaid.png' onerror='console.error(1)'>"] --> B`,
  `  click A "javascript:console.error('hostile ran')"`,
  `  style B fill:url(${BAD}/fill.png)`,
  "```",
  `$$\\href{javascript:console.error('hostile ran')}{x} \\includegraphics{${BAD}/katex.png}$$`,
  "\u001b]0;title\u0007\u001b[31mred\u001b[2J\u202etxt.exe\u202c \u0007bell",
  "",
  "End of it.",
].join("\n");

inUsualWindow();

it("a model's hostile Markdown is shown without a request and without a script", async () => {
  server.setScript({
    turns: [
      {
        match: { request: 1 },
        answer: [
          { reasoning: hostileMarkdown },
          { text: hostileMarkdown },
          {
            tool: "execute_command",
            params: {
              command: `printf '\\033]0;owned\\007\\033[2J\\033]8;;${BAD}/link\\007link\\033]8;;\\007\\033[31mcolor\\033[0m\\n<img src=${BAD}/out.png>\\n'`,
              requires_approval: true,
            },
          },
        ],
      },
      {
        match: { request: 2 },
        answer: [{ tool: "attempt_completion", params: { result: hostileMarkdown } }],
      },
    ],
  });
  const asked: string[] = [];
  vscode.page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith("data:")) asked.push(url);
  });
  const popups: string[] = [];
  vscode.page.on("popup", (page) => popups.push(page.url()));
  const before = vscode.consoleLines.length;
  await vscode.send("Show it");
  await panel.getByTestId("approve").click();
  const shown = vscode.row("result").filter({ hasText: "End of it." });
  await shown.waitFor();
  // A diagram is code to us: nothing draws it.
  await shown.getByText("graph TD").scrollIntoViewIfNeeded();
  await vscode.screenshot("hostile");

  const frame = await vscode.panelFrame();
  const found = await frame.evaluate(() => ({
    remote: [...document.querySelectorAll("[src], [href], [data], [action], [background], [style]")]
      .map((element) =>
        ["src", "data", "action", "background", "style"]
          .map((name) => element.getAttribute(name) ?? "")
          .join(" "),
      )
      .filter((value) => value.includes("127.0.0.1:9") || /javascript:/i.test(value)),
    links: [...document.querySelectorAll("a[href], [*|href]")]
      .map((element) => element.getAttribute("href") ?? "")
      .filter((href) => !/^(?:https?:|#|$)/i.test(href)),
    elements: document.querySelectorAll(
      "#root iframe, #root object, #root embed, #root form, #root base, #root link, #root script",
    ).length,
    handlers: [...document.querySelectorAll("*")].filter((element) =>
      element.getAttributeNames().some((name) => name.startsWith("on")),
    ).length,
    escapes: [...document.querySelectorAll("[data-kind=command]")].some((row) =>
      row.textContent?.includes("\u001b"),
    ),
  }));
  expect(found).toEqual({ remote: [], links: [], elements: 0, handlers: 0, escapes: false });
  expect(asked.filter((url) => url.includes("hostile"))).toEqual([]);
  const said = vscode.consoleLines.slice(before);
  expect(said.filter((line) => /hostile|Content Security Policy|Refused to/i.test(line))).toEqual([]);
  expect(popups).toEqual([]);

  // A click runs nothing either; what is no web address is not even a link.
  for (const name of ["run", "data", "command", "file"]) {
    const link = shown.getByText(name, { exact: true }).first();
    if (await link.isVisible()) await link.click();
  }
  await vscode.tab("Untitled").waitFor({ state: "hidden" });
  await vscode.tab("passwd").waitFor({ state: "hidden" });
  expect(vscode.consoleLines.filter((line) => /hostile ran/.test(line))).toEqual([]);
});
