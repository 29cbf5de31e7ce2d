/** The images of an exported session, which its format keeps in files of their own. */
import { type ContentPart, IMAGE_TYPES } from "./atif-types.ts";

/** A file beside the exported one. `path`: relative to it, with `/`. */
export interface ExportFile {
  path: string;
  bytes: Uint8Array;
}

interface StoredImage {
  mimeType: string;
  /** Base64. */
  data: string;
}

export class ExportImages {
  readonly files: ExportFile[] = [];
  readonly #session: string;

  /** `session`: the session's id, which distinguishes the images of several exports in one folder. */
  constructor(session: string) {
    this.#session = session;
  }

  /** The image as a part; a text instead if the format does not allow its type, or if its data cannot be read. */
  part({ mimeType, data }: StoredImage): ContentPart {
    const type = IMAGE_TYPES.find((each) => each === mimeType);
    const bytes = type && bytesOf(data);
    if (!type || !bytes) return { type: "text", text: `[An image of the type ${mimeType} is not included.]` };
    const path = `images/${this.#session}-${this.files.length + 1}.${type.slice("image/".length)}`;
    this.files.push({ path, bytes });
    return { type: "image", source: { media_type: type, path } };
  }
}

/** undefined: the text is not Base64. */
function bytesOf(data: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
