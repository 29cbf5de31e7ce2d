/** The task's steps: one line with the progress, or all steps when expanded; the user can tick them or edit the list. */
import { useEffect, useMemo, useRef, useState } from "react";
import { parseTodo, type TodoItem, withDone } from "../src/shared/todo.ts";
import { usePanel, useView } from "./panel.ts";
import { IconButton } from "./toolkit/button.tsx";
import { Checkbox } from "./toolkit/checkbox.tsx";
import { Icon } from "./toolkit/icon.tsx";

export default function TodoList() {
  const { t, actions } = usePanel();
  const { markdown, tick } = useTodo();
  const [open, setOpen] = useState(false);
  const items = useMemo(() => parseTodo(markdown), [markdown]);
  const done = items.filter((item) => item.done).length;
  const current = items.find((item) => !item.done);
  return (
    <div className="todo" data-testid="todo-list">
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        {items.length === 0 ? (
          <summary>
            <Icon name="chevron" />
            {t("Todo list")}
          </summary>
        ) : (
          <summary>
            <Icon name="chevron" />
            <span className="only-heard">{t("Steps: {0} of {1} done", done, items.length)}. </span>
            <span className="todo-count" aria-hidden="true">
              {done}/{items.length}
            </span>
            <span className="todo-current">{current?.text ?? t("All steps are done")}</span>
            <span className="todo-bar" aria-hidden="true">
              <span style={{ width: `${(100 * done) / items.length}%` }} />
            </span>
          </summary>
        )}
        {items.length === 0 ? (
          <div className="todo-text">
            <p className="detail">{t("This is not a checklist, so it is shown as is.")}</p>
            <pre>{markdown}</pre>
          </div>
        ) : (
          <ul aria-label={t("Todo list")}>
            {items.map((item, index) => (
              <Step
                // biome-ignore lint/suspicious/noArrayIndexKey: only its position identifies a step
                key={index}
                item={item}
                current={item === current}
                tick={(done) => tick(index, done)}
              />
            ))}
          </ul>
        )}
      </details>
      <IconButton
        label={t("Edit todo list")}
        testId="edit-todo"
        onPress={() => actions.run("host/edit-todo", {})}
      >
        <Icon name="edit" />
      </IconButton>
    </div>
  );
}

interface StepProps {
  item: TodoItem;
  current: boolean;
  tick(done: boolean): void;
}

function Step({ item, current, tick }: StepProps) {
  return (
    <li data-done={item.done} data-current={current} style={{ paddingLeft: `${item.depth * 18}px` }}>
      <Checkbox testId="todo-item" name={item.text} on={item.done} change={tick}>
        {item.text}
      </Checkbox>
    </li>
  );
}

/** The list, including ticks that the host has not confirmed yet: the next tick builds on it. */
function useTodo(): { markdown: string; tick(index: number, done: boolean): void } {
  const { actions } = usePanel();
  const stored = useView((view) => view.todo);
  const [ticked, setTicked] = useState<string | null>(null);
  /** The number of pending requests, and whether the host has sent another list since they were sent. */
  const pending = useRef({ count: 0, said: false });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list from the host takes precedence
  useEffect(() => {
    if (pending.current.count === 0) setTicked(null);
    else pending.current.said = true;
  }, [stored]);
  const markdown = ticked ?? stored;
  const tick = async (index: number, done: boolean) => {
    const next = withDone(markdown, index, done);
    setTicked(next);
    pending.current.count += 1;
    const accepted = await actions.ask("chat/todo", { markdown: next });
    pending.current.count -= 1;
    if (accepted && (pending.current.count > 0 || !pending.current.said)) return;
    pending.current.said = false;
    setTicked(null);
  };
  return { markdown, tick: (index, done) => void tick(index, done) };
}
