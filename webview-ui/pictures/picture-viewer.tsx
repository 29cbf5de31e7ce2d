/**
 * A picture over the whole panel, with the conversation's other pictures in a strip. Escape or the button closes it; the arrow
 * keys show the previous and the next picture; selecting the picture switches between its own size and the size that fits.
 */
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { usePanel, useView } from "../panel.ts";
import type { PicturePlace } from "../store.ts";
import { Visible } from "../text/visible.tsx";
import { IconButton } from "../toolkit/button.tsx";
import { Icon } from "../toolkit/icon.tsx";
import { PictureImage, sizeOf, usePictureText } from "./picture-image.tsx";
import { allPictures, isSamePlace, type ShownPicture } from "./pictures-of.ts";

export default function PictureViewer({ place }: { place: PicturePlace }) {
  const { t, store } = usePanel();
  const settled = useView((view) => view.settled);
  const live = useView((view) => view.live);
  const pictures = useMemo(() => allPictures({ settled, live }), [settled, live]);
  const at = pictures.findIndex((each) => isSamePlace(each, place));
  const shown = pictures[at];
  const dialog = useRef<HTMLDialogElement>(null);
  const isGone = shown === undefined;
  useEffect(() => {
    if (isGone) store.enlarge(null);
    else if (!dialog.current?.open) dialog.current?.showModal();
  }, [isGone, store]);
  if (!shown) return null;
  const go = (step: number) => {
    const next = pictures[at + step];
    if (next) store.enlarge({ callId: next.callId, index: next.index });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    if (step === 0) return;
    event.preventDefault();
    go(step);
  };
  return (
    <dialog
      ref={dialog}
      className="picture-viewer"
      data-testid="picture-viewer"
      aria-label={t("Image")}
      onClose={() => store.enlarge(null)}
      onKeyDown={onKeyDown}
    >
      <div className="picture-head">
        <Caption shown={shown} />
        {pictures.length > 1 ? (
          <span className="picture-count">{t("{0} of {1}", at + 1, pictures.length)}</span>
        ) : null}
        <IconButton label={t("Close")} testId="picture-close" onPress={() => dialog.current?.close()}>
          <Icon name="close" />
        </IconButton>
      </div>
      <LargePicture key={`${shown.callId}:${shown.index}`} shown={shown} />
      {pictures.length > 1 ? <Strip pictures={pictures} at={at} go={go} /> : null}
    </dialog>
  );
}

function Caption({ shown }: { shown: ShownPicture }) {
  const text = usePictureText(shown);
  return (
    <span className="picture-caption" aria-live="polite" title={text}>
      <Visible text={text} />
    </span>
  );
}

function LargePicture({ shown }: { shown: ShownPicture }) {
  const { t } = usePanel();
  const [full, setFull] = useState(false);
  const { width, height } = sizeOf(shown);
  const isKnown = shown.picture.width !== undefined;
  return (
    <div className="picture-large">
      <button
        type="button"
        aria-label={full ? t("Fit the image to the panel") : t("Show the image in its own size")}
        aria-pressed={full}
        style={
          full && isKnown
            ? { width: `${width}px` }
            : { width: `min(100%, calc((100vh - 120px) * ${width / height}))` }
        }
        onClick={() => setFull(!full)}
      >
        <PictureImage shown={shown} />
      </button>
    </div>
  );
}

interface StripProps {
  pictures: readonly ShownPicture[];
  at: number;
  go(step: number): void;
}

function Strip({ pictures, at, go }: StripProps) {
  const { t } = usePanel();
  return (
    <div className="picture-strip">
      <IconButton label={t("Previous image")} disabled={at === 0} onPress={() => go(-1)}>
        <Icon name="back" />
      </IconButton>
      <ol>
        {pictures.map((shown, index) => (
          <StripPicture
            key={`${shown.callId}:${shown.index}`}
            shown={shown}
            current={index === at}
            choose={() => go(index - at)}
          />
        ))}
      </ol>
      <IconButton label={t("Next image")} disabled={at === pictures.length - 1} onPress={() => go(1)}>
        <span className="turned">
          <Icon name="back" />
        </span>
      </IconButton>
    </div>
  );
}

function StripPicture(props: { shown: ShownPicture; current: boolean; choose(): void }) {
  const { shown, current, choose } = props;
  const { t } = usePanel();
  const text = usePictureText(shown);
  const item = useRef<HTMLLIElement>(null);
  const [near, setNear] = useState(current);
  useEffect(() => {
    if (current) item.current?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [current]);
  // A long task has many pictures: only those in view load their bytes.
  useEffect(() => {
    if (!item.current) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
    });
    observer.observe(item.current);
    return () => observer.disconnect();
  }, []);
  return (
    <li ref={item}>
      <button
        type="button"
        className="picture"
        aria-label={t("Enlarge image: {0}", text)}
        aria-current={current}
        onClick={choose}
      >
        {near ? <PictureImage shown={shown} /> : null}
      </button>
    </li>
  );
}
