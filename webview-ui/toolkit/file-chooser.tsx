import type { RefObject } from "react";

interface Props {
  /** `click` on it opens the system's dialog. */
  opener: RefObject<HTMLInputElement | null>;
  /** MIME types. */
  accept: readonly string[];
  choose(files: Iterable<File>): void;
}

/** The system's file dialog. Only an element of the page can open it, so this one is invisible. */
export function FileChooser({ opener, accept, choose }: Props) {
  return (
    <input
      ref={opener}
      type="file"
      accept={accept.join()}
      multiple
      hidden
      onChange={(event) => {
        choose(event.currentTarget.files ?? []);
        // Allows the user to choose the same file again.
        event.currentTarget.value = "";
      }}
    />
  );
}
