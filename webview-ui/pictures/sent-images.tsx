/** The images that the user sent with a message. A chunk of its own, loaded with the first of them. */
import { useEffect, useState } from "react";
import { usePanel } from "../panel.ts";

export default function SentImages({ messageId, count }: { messageId: string; count: number }) {
  return (
    <div className="pictures sent-images">
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a message's images never change
        <SentImage key={index} messageId={messageId} index={index} />
      ))}
    </div>
  );
}

/** Small images have one height, so that rows do not move when their bytes arrive. */
function SentImage({ messageId, index }: { messageId: string; index: number }) {
  const { t, actions } = usePanel();
  const [url, setUrl] = useState<string | null>();
  const [isLarge, setLarge] = useState(false);
  useEffect(() => {
    let gone = false;
    void actions.quietly("answer/sent", { messageId, index }).then((answer) => {
      if (gone) return;
      setUrl(answer?.image ? `data:${answer.image.mimeType};base64,${answer.image.data}` : null);
    });
    return () => {
      gone = true;
    };
  }, [actions, messageId, index]);
  const name = t("Image {0}", index + 1);
  if (url === null) return <span className="picture-missing">{t("This image is not available.")}</span>;
  return (
    <button
      type="button"
      className={isLarge ? "sent-image sent-image-large" : "sent-image"}
      data-testid="sent-image"
      aria-label={name}
      aria-expanded={isLarge}
      aria-busy={url === undefined}
      title={name}
      onClick={() => setLarge(!isLarge)}
    >
      {url === undefined ? null : <img src={url} alt={name} draggable={false} />}
    </button>
  );
}
