import type { ScriptPart } from "../script.ts";
import { demonstrationText } from "./help.ts";
import {
  call,
  checklist,
  finish,
  isRefused,
  isSaved,
  knownContent,
  resultsOf,
  type Scene,
  say,
  type Topic,
  think,
} from "./scene.ts";

const CHANGE = /を.+(に|へ)|変え|置き?換え|直して|change|replace|turn|swap|edit|make|into/i;

/** Replaces one word with another in a text file: by default the cat in neko.txt with a dog. */
export const editTopic: Topic = {
  wants: (said) =>
    /猫|ねこ|neko|\bcats?\b/i.test(said) && CHANGE.test(said) && namedWords(said) !== undefined,

  plan(scene) {
    const path = pathOf(scene);
    const [from, to] = wordsOf(scene, knownContent(scene, path) ?? "");
    return say(
      scene,
      `1. Look at \`${path}\`.\n2. Replace **${from}** by **${to}** in a diff that you can read and change.\n3. Save it once you approve.\n\nSwitch to Act mode and send a message to let me do it.`,
      `1. \`${path}\` の内容を確かめる\n2. **${from}** を **${to}** に置き換える差分を作る(読んで、直してから承認できます)\n3. 承認されたら保存する\n\nActモードに切り替えてメッセージを送ると、実行します。`,
    );
  },

  act(scene) {
    const path = pathOf(scene);
    const content = knownContent(scene, path);
    const edits = resultsOf(scene, "replace_in_file");
    const last = edits.at(-1);
    const [from, to] = wordsOf(scene, content ?? "");
    const steps = [
      say(scene, `Look at ${path}`, `${path} の内容を確かめる`),
      say(scene, `Replace ${from} by ${to}`, `${from}を${to}に置き換える`),
      say(scene, "Check the result", "結果を確かめる"),
    ];
    if (last !== undefined && isSaved(last)) {
      const [line] = linesWith(content ?? "", to);
      return finish(
        scene,
        say(
          scene,
          `\`${path}\` now says ${to} where it said ${from}.${line === undefined ? "" : `\n\n> ${line}`}`,
          `\`${path}\` の「${from}」を「${to}」に置き換えました。${line === undefined ? "" : `\n\n> ${line}`}`,
        ),
        checklist(steps, steps.length),
      );
    }
    if (last !== undefined && isRefused(last)) {
      return finish(
        scene,
        say(
          scene,
          `You refused the change; \`${path}\` is as it was.`,
          `変更は承認されませんでした。\`${path}\` は元のままです。`,
        ),
        checklist(steps, 1),
      );
    }
    const reads = resultsOf(scene, "read_file").length;
    if (edits.length > 1 || reads > 2) {
      return finish(
        scene,
        say(
          scene,
          `I could not change \`${path}\`. It is as it was.`,
          `\`${path}\` を変えられませんでした。元のままです。`,
        ),
      );
    }
    // After a failed edit, the file is read again before the next attempt.
    if ((content === undefined && reads === 0) || (edits.length === 1 && reads === 0)) {
      return [
        think(scene, `First I need the content of ${path}.`, `まず ${path} の内容を確かめる。`),
        ...call(scene, "read_file", { path, task_progress: checklist(steps, 0) }),
      ];
    }
    return replace(scene, path, content ?? "", from, to, checklist(steps, 1));
  },
};

function replace(
  scene: Scene,
  path: string,
  content: string,
  from: string,
  to: string,
  progress: string,
): ScriptPart[] {
  const lines = [...new Set(linesWith(content, from))].slice(0, 10);
  if (lines.length === 0) {
    return finish(scene, demonstrationText(scene));
  }
  const blocks = lines.map(
    (line) => `------- SEARCH\n${line}\n=======\n${line.replaceAll(from, to)}\n+++++++ REPLACE`,
  );
  return [
    think(
      scene,
      `The wish: ${from} becomes ${to} in ${path}. The content is known, ${lines.length} line(s) change; replace_in_file touches only those.`,
      `${path} の「${from}」を「${to}」にする依頼。内容は分かっていて、変わるのは ${lines.length} 行だけ。replace_in_file でその行だけを置き換える。`,
    ),
    ...call(scene, "replace_in_file", { path, diff: blocks.join("\n"), task_progress: progress }),
  ];
}

function linesWith(content: string, word: string): string[] {
  return content.split(/\r?\n/).filter((line) => line.includes(word));
}

/** The file to edit: a mention, a name in the text, or neko.txt. */
function pathOf(scene: Scene): string {
  const mention = /'([^'\n]+)' \(see below for file content\)/.exec(scene.said)?.[1];
  const named = /@?\/?((?:[\w.-]+\/)*[\w-]+\.(?:txt|md))/i.exec(scene.said)?.[1];
  return mention ?? named ?? "neko.txt";
}

/**
 * The word to replace and its replacement. English words for the two animals match the characters if the file contains
 * those.
 */
function wordsOf(scene: Scene, content: string): [string, string] {
  const named = namedWords(scene.said);
  const [from, to] = named ?? (scene.japanese ? ["猫", "犬"] : ["cat", "dog"]);
  if (content.includes(from) || content.includes(to)) return [from, to];
  const character: Record<string, string> = { cat: "猫", dog: "犬", neko: "猫", ねこ: "猫", いぬ: "犬" };
  return [character[from.toLowerCase()] ?? from, character[to.toLowerCase()] ?? to];
}

/** The two words that the user names; undefined: the wish is another one. */
function namedWords(said: string): [string, string] | undefined {
  const japanese = /([^\s、。「」をの]+)」?を「?([^\s、。「」にへ]+?)」?(?:に|へ)/.exec(said);
  const english =
    /\b(?:change|replace|turn|swap|make)\s+(?:the\s+|an?\s+|every\s+)?["'`]?([\p{L}]+)["'`]?(?:\s+(?:in|of|from|inside)\s+\S+)?\s+(?:to|into|with|by|for)?\s*(?:the\s+|an?\s+)?["'`]?([\p{L}]+)/iu.exec(
      said,
    );
  const found = japanese ?? english;
  return found?.[1] === undefined || found[2] === undefined ? undefined : [found[1], found[2]];
}
