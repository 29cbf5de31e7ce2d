/** The user's list of MCP servers: what is chosen fills the form that adds it. */
import { useEffect, useState } from "react";
import {
  type GalleryServer,
  type ServerGallery,
  serverGallerySchema,
} from "../../src/shared/server-gallery.ts";
import { usePanel } from "../panel.ts";
import { Visible } from "../text/visible.tsx";
import { Button } from "../toolkit/button.tsx";
import { PlainField } from "../toolkit/plain-field.tsx";

/** Entries that are shown; the field finds the others. */
const SHOWN = 50;

export default function Gallery({ choose }: { choose(server: GalleryServer): void }) {
  const { t, actions } = usePanel();
  const [gallery, setGallery] = useState<ServerGallery | null>(null);
  const [query, setQuery] = useState("");
  useEffect(() => {
    void actions
      .ask("gallery/list", {})
      .then((answer) => answer && setGallery(serverGallerySchema.parse(answer.list)));
  }, [actions]);
  if (gallery === null)
    return (
      <p className="detail" role="status">
        {t("Reading the list…")}
      </p>
    );
  const { source, servers, problem } = gallery;
  if (source === "")
    return (
      <div className="checkpoint" data-testid="gallery-none">
        <span>
          {t("Set the address or the file of a list first. Nothing is contacted before you open it.")}
        </span>
        <Button onPress={() => actions.run("host/settings", { query: "nekode.servers.gallery" })}>
          {t("Open settings")}
        </Button>
      </div>
    );
  const words = query.toLowerCase().split(/\s+/);
  const found = servers.filter(({ name, title, description }) => {
    const text = `${name} ${title} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return (
    <div className="gallery" data-testid="gallery">
      <p className="detail">
        <Visible text={source} />
      </p>
      {problem === undefined ? null : (
        <p className="bad" role="alert">
          <Visible text={problem} />
        </p>
      )}
      <PlainField
        type="search"
        value={query}
        change={setQuery}
        testId="gallery-search"
        placeholder={t("Search servers")}
        aria-label={t("Search servers")}
      />
      <ul className="gallery-items">
        {found.slice(0, SHOWN).map((server) => (
          <li key={server.name}>
            <button type="button" data-testid="gallery-server" onClick={() => choose(server)}>
              <strong>
                <Visible text={server.title} />
              </strong>
              <span className="detail">
                <Visible text={server.name} />
              </span>
              <span>
                <Visible text={server.description} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p className="detail" role="status">
        {found.length > SHOWN
          ? t("{0} of {1} servers", SHOWN, found.length)
          : t("Servers: {0}", found.length)}
      </p>
    </div>
  );
}
