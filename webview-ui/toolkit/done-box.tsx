/** Whether an item of a list is done; the user cannot change it, and it has no place in the order of the Tab key. */
export function DoneBox({ done, name }: { done: boolean; name: string }) {
  return <input type="checkbox" checked={done} disabled readOnly aria-label={name} />;
}
