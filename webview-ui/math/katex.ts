/** Implements with Temml the part of KaTeX that Mermaid uses, so that the panel contains one typesetter. */
import temml from "temml";

export default {
  renderToString: (tex: string, { displayMode = false }: { displayMode?: boolean } = {}): string =>
    temml.renderToString(tex, { displayMode, throwOnError: true, trust: false, strict: false }),
};
