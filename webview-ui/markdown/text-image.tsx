/** An image in a text. An image of the workspace is shown; one on the web is a link, because loading it would send a request. */
import { useEffect, useState } from "react";
import { usePanel } from "../panel.ts";
import { Link } from "./link.tsx";
import { parseLink } from "./links.ts";

/** Maximum characters of the images that stay loaded; the oldest are dropped. */
const MAX_LOADED = 24_000_000;

const loaded = new Map<string, string>();

export function TextImage({ alt, address }: { alt: string; address: string }) {
  const target = parseLink(address);
  if (target?.kind === "file") return <WorkspaceImage alt={alt} address={address} path={target.path} />;
  return <ImageLink alt={alt} address={address} />;
}

function ImageLink({ alt, address }: { alt: string; address: string }) {
  return (
    <span className="md-image">
      {parseLink(address) ? <Link href={address}>{alt || address}</Link> : `${alt} `}
      {parseLink(address) && alt !== "" ? " " : null}
      {parseLink(address) && alt === "" ? null : <span className="detail">({address})</span>}
    </span>
  );
}

function WorkspaceImage({ alt, address, path }: { alt: string; address: string; path: string }) {
  const url = useWorkspaceImage(path);
  if (!url) return <ImageLink alt={alt} address={address} />;
  return <img className="md-picture" src={url} alt={alt || path} title={path} />;
}

/** null: it cannot be shown. undefined: it is being loaded. */
function useWorkspaceImage(path: string): string | null | undefined {
  const { actions } = usePanel();
  const [state, setState] = useState<{ path: string; url: string | null }>();
  useEffect(() => {
    if (loaded.has(path)) return;
    let gone = false;
    void actions.quietly("answer/image", { path }).then((answer) => {
      const url = answer?.image ? `data:${answer.image.mimeType};base64,${answer.image.data}` : null;
      if (url) keep(path, url);
      if (!gone) setState({ path, url });
    });
    return () => {
      gone = true;
    };
  }, [actions, path]);
  return loaded.get(path) ?? (state?.path === path ? state.url : undefined);
}

function keep(path: string, url: string): void {
  loaded.set(path, url);
  let size = [...loaded.values()].reduce((sum, each) => sum + each.length, 0);
  for (const [oldest, { length }] of loaded) {
    if (size <= MAX_LOADED || oldest === path) break;
    loaded.delete(oldest);
    size -= length;
  }
}
