import { useMemo, useState } from "react";
import { usePanel, useView } from "./panel.ts";
import { parseTodo } from "./text/todo.ts";

/** The task's steps: one line with where it stands, all of them when unfolded. */
export function TodoList() {
  const { t } = usePanel();
  const markdown = useView((view) => view.todo);
  const [open, setOpen] = useState(false);
  const items = useMemo(() => parseTodo(markdown), [markdown]);
  if (items.length === 0) return null;
  const done = items.filter((item) => item.done).length;
  const current = items.find((item) => !item.done);
  return (
    <details
      className="todo"
      data-testid="todo-list"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary aria-label={t("Steps: {0} of {1} done", done, items.length)}>
        <span className="todo-count">
          {done}/{items.length}
        </span>
        <span className="todo-current">{current?.text ?? t("All steps are done")}</span>
      </summary>
      <ul>
        {items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are told apart by their place alone
          <li key={index} data-done={item.done} data-current={item === current}>
            <span aria-hidden="true">{item.done ? "✓" : "○"}</span>
            <span className="only-heard">{item.done ? t("done") : t("to do")}: </span>
            <span>{item.text}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
