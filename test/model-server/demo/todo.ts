import { TODO_FILES } from "../todo-app.ts";
import {
  call,
  checklist,
  finish,
  isRefused,
  resultsOf,
  type Scene,
  say,
  type Topic,
  think,
} from "./scene.ts";

/** Writes a small Todo application: three files, one after the other. */
export const todoTopic: Topic = {
  wants: (said) => /\bto-?do\b|トゥードゥー|やること/i.test(said),

  plan(scene) {
    return say(
      scene,
      "Three files, no dependencies:\n\n1. `index.html`: a form, filters and the list\n2. `style.css`: light and dark\n3. `script.js`: add, tick off, filter, remove; kept in the browser\n\nSwitch to Act mode and send a message to let me write them.",
      "依存ライブラリなしの3ファイルです。\n\n1. `index.html`: 入力欄、絞り込み、一覧\n2. `style.css`: ライトとダーク\n3. `script.js`: 追加、完了、絞り込み、削除。ブラウザーに保存\n\nActモードに切り替えてメッセージを送ると、作成します。",
    );
  },

  act(scene) {
    const names = Object.keys(TODO_FILES);
    const writes = resultsOf(scene, "write_to_file");
    const last = writes.at(-1);
    const steps = names.map((name) => say(scene, `Write ${name}`, `${name} を書く`));
    const reads = resultsOf(scene, "read_file");
    if (writes.length === 0 && reads.length === 0 && hasIndex(scene)) {
      return [
        {
          text: say(
            scene,
            "There is an index.html already; let me look at it first.",
            "index.html があるので、先に確かめます。",
          ),
        },
        ...call(scene, "read_file", { path: "index.html", task_progress: checklist(steps, 0) }),
      ];
    }
    if (last !== undefined && isRefused(last)) {
      return finish(
        scene,
        say(
          scene,
          `You refused a file, so I stop here. Written so far: ${writes.length - 1} of ${names.length}.`,
          `承認されなかったので、ここで止めます。書いたのは ${names.length} ファイル中 ${writes.length - 1} ファイルです。`,
        ),
        checklist(steps, writes.length - 1),
      );
    }
    const folder = folderFor(scene);
    const name = names[writes.length];
    if (name === undefined) {
      return finish(
        scene,
        say(
          scene,
          `The Todo app is there. Open \`${folder}index.html\` in a browser: add, tick off, filter and remove; the list survives a reload.`,
          `Todoアプリができました。\`${folder}index.html\` をブラウザーで開いてください。追加、完了、絞り込み、削除ができ、再読み込みしても残ります。`,
        ),
        checklist(steps, names.length),
      );
    }
    const opening =
      writes.length === 0
        ? [
            think(
              scene,
              "A small app without dependencies: one page, one style sheet, one script. The page first.",
              "依存のない小さなアプリにする。ページ、スタイル、スクリプトの3ファイル。まずページから。",
            ),
          ]
        : [];
    return [
      ...opening,
      { text: say(scene, `Now \`${folder}${name}\`.`, `\`${folder}${name}\` を書きます。`) },
      ...call(scene, "write_to_file", {
        path: `${folder}${name}`,
        content: TODO_FILES[name] ?? "",
        task_progress: checklist(steps, writes.length),
      }),
    ];
  },
};

function hasIndex(scene: Scene): boolean {
  return scene.conversation.texts.some((text) => /^index\.html\s*$/m.test(text));
}

/** Another index.html is not overwritten: the app then goes into a folder of its own. */
function folderFor(scene: Scene): string {
  const write = resultsOf(scene, "write_to_file")[0]?.target;
  if (write !== undefined) return write.startsWith("todo-app/") ? "todo-app/" : "";
  const read = resultsOf(scene, "read_file").find((result) => result.target === "index.html");
  return read === undefined || read.text.includes('id="todo-app"') ? "" : "todo-app/";
}
