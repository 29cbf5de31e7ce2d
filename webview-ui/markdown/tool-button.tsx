/** The small buttons over code and diagrams. */
import { useState } from "react";
import { usePanel } from "../panel.ts";

const PATHS = {
  copy: "M5.5 5.5h7v7h-7zM3.5 10.5v-7h7",
  check: "M3 8.5l3.2 3.2L13 4.8",
  wrap: "M2.5 4h11M2.5 8h8.6a2.2 2.2 0 0 1 0 4.4H8M9.6 10.6 7.8 12.4l1.8 1.8M2.5 12.4h3",
  insert: "M8.5 3h5M8.5 6.5h5M2.5 10h11M2.5 13.2h11M2.5 4.7h3.4M4.4 3l1.7 1.7-1.7 1.7",
  "new-file": "M8.5 14.2H3.8V1.8h5l3 3v2.8M8.8 1.8v3h3M11.8 9.6v5M9.3 12.1h5",
  run: "M4.5 2.8 12.5 8l-8 5.2z",
  add: "M8 2.5v11M2.5 8h11",
  remove: "M2.5 8h11",
  fit: "M2.8 6V2.8H6M10 2.8h3.2V6M13.2 10v3.2H10M6 13.2H2.8V10",
  source: "M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5",
  svg: "M3 12.5C3 6 13 10 13 3.5M1.8 11.3h2.4v2.4H1.8zM11.8 2.3h2.4v2.4h-2.4z",
  image: "M2 3h12v10H2zM2 11.2l3.6-3.6 2.8 2.8 2-2 3.6 3.4M10.6 5.6h.1",
} as const;

export type ToolIconName = keyof typeof PATHS;

export interface ToolButtonProps {
  icon: ToolIconName;
  /** The accessible name and the tooltip. */
  label: string;
  /** For a switch: whether it is on. */
  pressed?: boolean;
  testId?: string;
  onPress(): void;
  /** The pointer or the focus left the button. */
  onLeave?(): void;
}

/** A native button, because a message may contain hundreds of them and each toolkit button consists of a dozen nodes. */
export function ToolButton({ icon, label, pressed, testId, onPress, onLeave }: ToolButtonProps) {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={label}
      aria-pressed={pressed}
      title={label}
      data-testid={testId}
      onClick={onPress}
      onMouseLeave={onLeave}
      onBlur={onLeave}
    >
      <svg className="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
        <path d={PATHS[icon]} />
      </svg>
    </button>
  );
}

/** Copies, and shows "Copied" until the pointer or the focus leaves. `copy` rejects when nothing was copied. */
export function CopyButton(props: { icon: ToolIconName; label: string; copy(): Promise<void> }) {
  const { t } = usePanel();
  const [done, setDone] = useState(false);
  const copy = async () => {
    try {
      await props.copy();
      setDone(true);
    } catch (error) {
      // The button keeps its initial state: nothing was copied.
      console.warn("not copied:", error);
    }
  };
  return (
    <ToolButton
      icon={done ? "check" : props.icon}
      label={done ? t("Copied") : props.label}
      onPress={() => void copy()}
      onLeave={() => setDone(false)}
    />
  );
}
