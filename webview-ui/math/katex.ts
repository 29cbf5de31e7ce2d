/** What Mermaid uses of KaTeX, by Temml, so that the panel has one typesetter. */
import temml from "temml";

export default {
  renderToString: (tex: string, { displayMode = false }: { displayMode?: boolean } = {}): string =>
    temml.renderToString(tex, { displayMode, throwOnError: true, trust: false, strict: false }),
};
