/** The pictures of a conversation, and their bytes, which are requested when a picture becomes visible. */
import { useEffect, useState } from "react";
import type { Picture } from "../../src/shared/message.ts";
import type { CallRow, ChatView } from "../../src/shared/view/reducer.ts";
import type { Actions } from "../actions.ts";
import { usePanel, useView } from "../panel.ts";
import type { PicturePlace } from "../store.ts";

export interface ShownPicture extends PicturePlace {
  row: CallRow;
  picture: Picture;
}

export const isSamePlace = (a: PicturePlace, b: PicturePlace): boolean =>
  a.callId === b.callId && a.index === b.index;

/** The pictures of all loaded rows, in order. */
export function allPictures({ settled, live }: Pick<ChatView, "settled" | "live">): ShownPicture[] {
  return [...settled, ...live].flatMap((row) => (row.kind === "call" ? picturesOf(row) : []));
}

export function picturesOf(row: CallRow): ShownPicture[] {
  return (row.shown?.pictures ?? []).map((picture, index) => ({ callId: row.id, index, row, picture }));
}

/** Maximum characters of the pictures that stay loaded, in Base64; the oldest are dropped. */
const MAX_LOADED = 24_000_000;

const loaded = new Map<string, string>();

/** The picture as a data URL. undefined: it is being loaded. null: the session does not have it, or the request failed. */
export function usePictureUrl({ callId, index }: PicturePlace): string | null | undefined {
  const { actions } = usePanel();
  const session = useView((view) => view.session?.id ?? "");
  const key = JSON.stringify([session, callId, index]);
  const [state, setState] = useState<{ key: string; url: string | null }>();
  const url = loaded.get(key) ?? (state?.key === key ? state.url : undefined);
  useEffect(() => {
    if (loaded.has(key)) return;
    let gone = false;
    void load(actions, key, { callId, index }).then((loadedUrl) => {
      if (!gone) setState({ key, url: loadedUrl });
    });
    return () => {
      gone = true;
    };
  }, [actions, key, callId, index]);
  return url;
}

async function load(actions: Actions, key: string, place: PicturePlace): Promise<string | null> {
  const answer = await actions.ask("chat/picture", place);
  if (!answer?.picture) return null;
  const { mimeType, data } = answer.picture;
  const url = `data:${mimeType};base64,${data}`;
  loaded.set(key, url);
  let size = [...loaded.values()].reduce((sum, each) => sum + each.length, 0);
  for (const [oldest, { length }] of loaded) {
    if (size <= MAX_LOADED || oldest === key) break;
    loaded.delete(oldest);
    size -= length;
  }
  return url;
}
