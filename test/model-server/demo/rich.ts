import { fenced, finish, say, type Topic } from "./scene.ts";

/** An answer with formulas and a diagram. */
export const richTopic: Topic = {
  wants: (said) => /\bmath\b|\bformulas?\b|\bdiagrams?\b|mermaid|数式|図を|図表/i.test(said),
  act: (scene) =>
    finish(
      scene,
      [
        say(scene, "## Math and a diagram", "## 数式と図"),
        say(
          scene,
          "The sum of the first $n$ numbers is $\\frac{n(n+1)}{2}$, and the normal distribution is:",
          "最初の $n$ 個の数の和は $\\frac{n(n+1)}{2}$ で、正規分布は次のとおりです。",
        ),
        "$$f(x) = \\frac{1}{\\sigma\\sqrt{2\\pi}} \\, e^{-\\frac{(x-\\mu)^2}{2\\sigma^2}}$$",
        say(scene, "What happens to a change that I propose:", "提案した変更は、次のように扱われます。"),
        fenced(
          say(
            scene,
            "flowchart TD\n  A[Your message] --> B[Proposed edit]\n  B --> C{Approve?}\n  C -->|yes| D[Saved]\n  C -->|no| E[Comment]\n  E --> B",
            "flowchart TD\n  A[メッセージ] --> B[編集の提案]\n  B --> C{承認?}\n  C -->|はい| D[保存]\n  C -->|いいえ| E[コメント]\n  E --> B",
          ),
          "mermaid",
        ),
      ].join("\n\n"),
    ),
};
