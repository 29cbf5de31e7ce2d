/** The chip of the file that the user looks at. Selecting it excludes the open files from messages, or includes them again. */
import type { CurrentFile } from "../../../src/shared/view/current-file.ts";
import { usePanel } from "../../panel.ts";
import { Visible } from "../../text/visible.tsx";
import { Icon } from "../../toolkit/icon.tsx";
import "../../styles/current-file.css";

export default function CurrentFileChip({ current }: { current: CurrentFile }) {
  const { t, actions } = usePanel();
  const { path, lines, included } = current;
  const name = path.slice(path.lastIndexOf("/") + 1);
  const range = lines && (lines.start === lines.end ? `:${lines.start}` : `:${lines.start}-${lines.end}`);
  const shown = name + (range ?? "");
  return (
    <li className={included ? "chip current-file" : "chip current-file left-out"} data-testid="current-file">
      <button
        type="button"
        aria-label={
          included ? t("Current file: {0}, included", shown) : t("Current file: {0}, not included", shown)
        }
        title={
          included
            ? t("{0}. Messages name this file and the open tabs. Press to leave them out.", path)
            : t("{0}. Messages do not name this file and the open tabs. Press to include them.", path)
        }
        onClick={() => actions.run("current/include", { included: !included })}
      >
        <Icon name="file" />
        <span className="chip-name">
          <Visible text={shown} />
        </span>
      </button>
    </li>
  );
}
