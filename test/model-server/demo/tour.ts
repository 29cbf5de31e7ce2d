import { call, checklist, finish, isRefused, resultsOf, type Scene, say, type Topic } from "./scene.ts";

const MOST_FILES = 6;
const NOTES = "tour.md";

/** A long task: looks at one file after the other, searches, writes notes and runs a command. */
export const tourTopic: Topic = {
  wants: (said) => /\btour\b|案内して|ツアー/i.test(said),
  plan: (scene) =>
    say(
      scene,
      `1. List the files\n2. Read each of them\n3. Search for cats\n4. Write \`${NOTES}\`\n5. Count its lines\n\nSwitch to Act mode and send a message to let me do it.`,
      `1. ファイルを一覧表示する\n2. 1つずつ読む\n3. 猫を検索する\n4. \`${NOTES}\` を書く\n5. 行数を数える\n\nActモードに切り替えてメッセージを送ると、実行します。`,
    ),
  act(scene) {
    const list = resultsOf(scene, "list_files").at(-1);
    const steps = [
      say(scene, "List the files", "ファイルを一覧表示する"),
      say(scene, "Read each of them", "1つずつ読む"),
      say(scene, "Search for cats", "猫を検索する"),
      say(scene, `Write ${NOTES}`, `${NOTES} を書く`),
      say(scene, "Count its lines", "行数を数える"),
    ];
    const progress = (done: number) => ({ task_progress: checklist(steps, done) });
    if (!list) return call(scene, "list_files", { path: ".", recursive: true, ...progress(0) });
    const files = filesOf(list.text);
    const reads = resultsOf(scene, "read_file");
    const next = files[reads.length];
    if (next !== undefined) {
      return [
        { text: say(scene, `Now \`${next}\`.`, `次は \`${next}\` です。`) },
        ...call(scene, "read_file", { path: next, ...progress(1) }),
      ];
    }
    if (resultsOf(scene, "search_files").length === 0)
      return call(scene, "search_files", { path: ".", regex: "猫|[Cc]at", ...progress(2) });
    const written = resultsOf(scene, "write_to_file").at(-1);
    if (!written) {
      const lines = files.map((file, at) => `- \`${file}\`: ${sizeOf(reads[at]?.text ?? "")}`);
      const content = [
        say(scene, "# A tour of this workspace", "# このワークスペースの案内"),
        "",
        ...lines,
        "",
      ].join("\n");
      return call(scene, "write_to_file", { path: NOTES, content, ...progress(3) });
    }
    const refused = isRefused(written);
    const command = `node -p "require('fs').readFileSync('${NOTES}', 'utf8').split('\\n').length - 1"`;
    const ran = resultsOf(scene, "execute_command").at(-1);
    if (!refused && !ran)
      return call(scene, "execute_command", { command, requires_approval: true, ...progress(4) });
    return finish(scene, endOf(scene, files.length, refused), checklist(steps, refused ? 3 : steps.length));
  },
};

function endOf(scene: Scene, files: number, refused: boolean): string {
  return refused
    ? say(
        scene,
        `I read ${files} files. You refused the notes, so nothing was written.`,
        `${files} ファイルを読みました。メモは承認されなかったので、何も書いていません。`,
      )
    : say(
        scene,
        `I read ${files} files, searched them, and wrote \`${NOTES}\`. All of it can be undone below.`,
        `${files} ファイルを読み、検索し、\`${NOTES}\` を書きました。変更は下から元に戻せます。`,
      );
}

function filesOf(list: string): string[] {
  const found = [...list.matchAll(/(?:[\w.-]+\/)*[\w-]+\.(?:md|txt|json|tsx?|jsx?|py|html|css)\b/g)].map(
    ([file]) => file,
  );
  return [...new Set(found)].filter((file) => file !== NOTES).slice(0, MOST_FILES);
}

const sizeOf = (text: string): string => `${text.split("\n").length} lines`;
