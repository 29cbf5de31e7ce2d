/**
 * Whether an item of a list is done; the user cannot change it, and it has no place in the order of the Tab key. It is a picture: a
 * checkbox would say its state beside the name.
 */
export function DoneBox({ done, name }: { done: boolean; name: string }) {
  return (
    <span role="img" aria-label={name}>
      <span aria-hidden="true">
        <input type="checkbox" checked={done} disabled readOnly />
      </span>
    </span>
  );
}
