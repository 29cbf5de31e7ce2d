/** Reads git's index for the folders in it that are repositories of their own: https://git-scm.com/docs/index-format. */

/** Paths of gitlinks, relative to the working tree, with `/`. undefined: not understood. `hash`: bytes of an object's name. */
export function gitlinks(index: Uint8Array, hash: 20 | 32): string[] | undefined {
  const view = new DataView(index.buffer, index.byteOffset, index.byteLength);
  if (index.length < 12 || view.getUint32(0) !== 0x44495243) return undefined;
  const version = view.getUint32(4);
  if (version < 2 || version > 4) return undefined;
  const found: string[] = [];
  let at = 12;
  let previous = new Uint8Array();
  for (let left = view.getUint32(8); left > 0; left--) {
    const start = at;
    if (at + 42 + hash > index.length) return undefined;
    const mode = view.getUint32(at + 24);
    const extended = (view.getUint16(at + 40 + hash) & 0x4000) !== 0;
    at += 42 + hash + (extended ? 2 : 0);
    let strip = 0;
    if (version === 4) {
      // The bytes of the name before that fall away, in git's offset encoding.
      let byte = index[at++] ?? 0;
      strip = byte & 127;
      while (byte & 128) {
        byte = index[at++] ?? 0;
        strip = ((strip + 1) << 7) | (byte & 127);
        if (strip > 1_000_000) return undefined;
      }
    }
    const end = index.indexOf(0, at);
    if (end < 0) return undefined;
    const isLink = (mode & 0xf000) === 0xe000;
    if (version === 4) {
      const kept = previous.subarray(0, Math.max(0, previous.length - strip));
      const name = new Uint8Array(kept.length + end - at);
      name.set(kept);
      name.set(index.subarray(at, end), kept.length);
      previous = name;
      if (isLink) found.push(new TextDecoder().decode(name));
      at = end + 1;
    } else {
      if (isLink) found.push(new TextDecoder().decode(index.subarray(at, end)));
      // One to eight NULs, so that the entry's length is a multiple of eight.
      at = start + ((end - start + 8) & ~7);
    }
  }
  return sharesOther(index, view, at, hash) ? undefined : found;
}

/** Whether entries stand in another file: the extension `link` of a split index. */
function sharesOther(index: Uint8Array, view: DataView, from: number, hash: number): boolean {
  for (let at = from; at + 8 <= index.length - hash; at += 8 + view.getUint32(at + 4)) {
    if (view.getUint32(at) === 0x6c696e6b) return true;
  }
  return false;
}
