import { call, fenced, finish, isRefused, resultsOf, type Scene, say, type Topic, think } from "./scene.ts";

/** Runs a command: the one in backticks, else a harmless one. */
export const commandTopic: Topic = {
  wants: (said) =>
    /^\s*(please )?(run|execute)\b|\brun (a command|the tests?)\b|実行(して|してください)?[。\s]*$/i.test(
      said,
    ),
  plan: (scene) =>
    say(
      scene,
      `I would run \`${commandOf(scene)}\` in the terminal and tell you what it says. Commands need Act mode.`,
      `ターミナルで \`${commandOf(scene)}\` を実行し、結果をお伝えします。実行にはActモードが必要です。`,
    ),
  act(scene) {
    const last = resultsOf(scene, "execute_command").at(-1);
    const command = commandOf(scene);
    if (last === undefined) {
      return [
        { text: say(scene, `I run \`${command}\`.`, `\`${command}\` を実行します。`) },
        ...call(scene, "execute_command", { command, requires_approval: true }),
      ];
    }
    if (isRefused(last)) {
      return finish(
        scene,
        say(scene, "You refused the command; nothing was run.", "承認されなかったので、実行していません。"),
      );
    }
    const output = last.text.split("\n").slice(-20).join("\n");
    return finish(
      scene,
      `${say(scene, `\`${command}\` gave:`, `\`${command}\` の結果です。`)}\n\n${fenced(output, "text")}`,
    );
  },
};

function commandOf(scene: Scene): string {
  const quoted = /`([^`\n]+)`/.exec(scene.said)?.[1];
  const hasPackage = scene.conversation.texts.some((text) => /^package\.json\s*$/m.test(text));
  const wantsTests = /\btests?\b|テスト/i.test(scene.said);
  return quoted ?? (wantsTests && hasPackage ? "npm test" : "node --version");
}

/** Answers a question about the workspace with what it finds there. */
export const workspaceTopic: Topic = {
  wants: (said) =>
    /\b(what|which|show|list|look|explain)\b.*(workspace|project|files?\b|folder|codebase|repo(sitory)?\b)|(ワークスペース|プロジェクト|フォルダー?|リポジトリ).*(何|なに|構成|中身|説明)/i.test(
      said,
    ),
  act(scene) {
    const list = resultsOf(scene, "list_files").at(-1);
    if (list === undefined) {
      return [
        think(scene, "I look at what is there before I answer.", "答える前に、何があるかを確かめる。"),
        ...call(scene, "list_files", { path: ".", recursive: true }),
      ];
    }
    const read = resultsOf(scene, "read_file").at(-1);
    const file = fileWorthReading(scene, list.text);
    if (read === undefined && file !== undefined) return call(scene, "read_file", { path: file });
    const names = list.text.split("\n").filter((line) => line.trim() !== "");
    const shown = names.slice(0, 20).join("\n");
    const parts = [say(scene, "## What is here", "## ワークスペースの内容"), fenced(shown, "text")];
    if (names.length > 20)
      parts.push(say(scene, `... and ${names.length - 20} more lines.`, `ほか ${names.length - 20} 行。`));
    if (read !== undefined) {
      const name = read.target ?? file ?? "";
      const head = read.text.split("\n").slice(0, 12).join("\n");
      parts.push(
        say(scene, `### \`${name}\` begins with`, `### \`${name}\` の冒頭`),
        fenced(head, /\.(\w+)$/.exec(name)?.[1] ?? ""),
        `| | |\n| --- | --- |\n| ${say(scene, "File", "ファイル")} | \`${name}\` |\n| ${say(scene, "Characters", "文字数")} | ${[...read.text].length} |`,
      );
    }
    return finish(scene, parts.join("\n\n"));
  },
};

function fileWorthReading(scene: Scene, list: string): string | undefined {
  const files = [...list.matchAll(/(?:[\w.-]+\/)*[\w-]+\.(?:md|txt|json|tsx?|jsx?|py|html|css)\b/g)].map(
    (m) => m[0],
  );
  const named = files.find((file) => scene.said.includes(file));
  return named ?? files.find((file) => /readme/i.test(file)) ?? files[0];
}

/** Asks the user a question, with buttons. */
export const askTopic: Topic = {
  wants: (said) => /\bask me\b|質問して/i.test(said),
  act: (scene) =>
    call(scene, "ask_followup_question", {
      question: say(scene, "What shall I show you?", "何をお見せしましょうか。"),
      options: scene.japanese
        ? ["neko.txt の猫を犬にして", "Todoアプリを作って", "Markdownの表示例"]
        : ["Change the cat to a dog in neko.txt", "Make a Todo app", "Show me Markdown"],
    }),
};

/** Everything that the panel renders. */
export const markdownTopic: Topic = {
  wants: (said) => /\bmarkdown\b|マークダウン/i.test(said),
  act: (scene) =>
    finish(
      scene,
      [
        say(scene, "## What answers can hold", "## 回答に使える書式"),
        say(
          scene,
          "*Emphasis*, **weight**, `code`, [links](https://example.com) and lists:\n\n1. one\n2. two\n   - two and a half",
          "*強調*、**太字**、`コード`、[リンク](https://example.com)、箇条書き:\n\n1. ひとつ\n2. ふたつ\n   - その中",
        ),
        fenced("function greet(name: string): string {\n  return 'Hello, ' + name;\n}", "ts"),
        say(
          scene,
          "| Step | Who |\n| --- | --- |\n| propose | the model |\n| approve | you |",
          "| 手順 | だれが |\n| --- | --- |\n| 提案 | モデル |\n| 承認 | あなた |",
        ),
        fenced(
          "flowchart LR\n  A[wish] --> B[diff] --> C{approve?}\n  C -->|yes| D[saved]\n  C -->|no| A",
          "mermaid",
        ),
        "$$e^{i\\pi} + 1 = 0$$",
      ].join("\n\n"),
    ),
};

/** A long answer, to try Stop on. */
export const longTopic: Topic = {
  wants: (said) => /\blong answer\b|長い回答|長文/i.test(said),
  act: (scene) => [
    {
      text: Array.from({ length: 120 }, (_, index) =>
        say(
          scene,
          `${index + 1}. This goes on for a while; press Stop whenever you like.`,
          `${index + 1}. しばらく続きます。いつでも停止できます。`,
        ),
      ).join("\n"),
    },
    ...finish(scene, say(scene, "That was all of it.", "以上です。")),
  ],
};
