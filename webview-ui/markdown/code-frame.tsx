/** The frame of a code block: its language and its buttons. */
import { type ReactNode, useState } from "react";
import { onDemand } from "../on-demand.tsx";
import { usePanel } from "../panel.ts";
import { CopyButton, ToolButton } from "./tool-button.tsx";

const CodeTools = onDemand(() => import("./code-tools.tsx"));

export interface CodeFrameProps {
  /** The fence's info string. */
  info: string;
  copied(): string;
  children: ReactNode;
}

export function codeLanguage(info: string): string {
  return (/^[\w+#.-]+/.exec(info)?.[0] ?? "").toLowerCase();
}

export function CodeFrame({ info, copied, children }: CodeFrameProps) {
  const { t } = usePanel();
  const [wraps, setWraps] = useState(false);
  /**
   * Whether the pointer or the focus has reached this block. A message may contain hundreds of blocks, so buttons are rendered
   * only then.
   */
  const [used, setUsed] = useState(false);
  const language = codeLanguage(info);
  const use = () => setUsed(true);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only adds buttons, which are also there by keyboard
    <div className={wraps ? "code code-wraps" : "code"} onPointerEnter={use} onFocus={use}>
      <pre className="code-text">
        <code>{children}</code>
      </pre>
      <div className="code-tools">
        <span className="code-language">{language}</span>
        <CopyButton icon="copy" label={t("Copy code")} copy={() => navigator.clipboard.writeText(copied())} />
        {used ? (
          <CodeTools language={language} code={copied}>
            <ToolButton
              icon="wrap"
              label={t("Wrap lines")}
              pressed={wraps}
              testId="code-wrap"
              onPress={() => setWraps(!wraps)}
            />
          </CodeTools>
        ) : null}
      </div>
    </div>
  );
}
