import { finish, type Scene, say, type Topic } from "./scene.ts";

/** That answers are a demonstration, what it can show, and how to connect a real model. */
export function demonstrationText(scene: Scene): string {
  return say(
    scene,
    `**Answers are a demonstration.** I am the built-in **scripted model**: I have no intelligence of my own and cannot do this. Each of these plays a scene:

- **Change the cat to a dog in neko.txt**: an edit to approve or reject
- **Run \`node --version\`**: a command in the terminal
- **Make a Todo app**, in Plan mode first: plan, then act
- **Ask me something**: a question with answers to choose from
- **Take a tour of the whole workspace, file by file**: a long task
- **Show me math and a diagram**, **Show me Markdown**, **a long answer** (to try Stop), **What is in this workspace?**

For real work, select **Connect a model** below: choose a provider and enter a key, or find a local server.`,
    `**回答はデモです。** わたしは内蔵の**台本モデル**です。自分の知能はなく、このご依頼にはお応えできません。次のように送ると、それぞれの場面をお見せします。

- **neko.txt の猫を犬にして**: 承認または却下する編集
- **\`node --version\` を実行して**: ターミナルのコマンド
- **Todoアプリを作って**(先にPlanモードで): 計画してから実行
- **何か質問して**: 選択肢のある質問
- **ワークスペース全体を1ファイルずつ案内して**: 手順の多い長いタスク
- **数式と図を見せて**、**マークダウンの表示例**、**長い回答**(停止を試す)、**このワークスペースには何がある?**

実際に使うには、下の**モデルを接続**を押し、提供元とキー、またはローカル サーバーを選んでください。`,
  );
}

/** Answers every other request. */
export const helpTopic: Topic = {
  wants: () => true,
  act: (scene) => finish(scene, demonstrationText(scene)),
};
