/** Reads git's index for folders that are repositories of their own: https://git-scm.com/docs/index-format. */

/**
 * Returns the paths of gitlinks, relative to the working tree, with `/`. undefined: not understood. `hash`: bytes of an
 * object id.
 */
export function gitlinks(index: Uint8Array, hash: 20 | 32): string[] | undefined {
  const view = new DataView(index.buffer, index.byteOffset, index.byteLength);
  if (index.length < 12 || view.getUint32(0) !== 0x44495243) return undefined;
  const version = view.getUint32(4);
  if (version < 2 || version > 4) return undefined;
  const paths: string[] = [];
  let at = 12;
  let previous: Uint8Array = new Uint8Array();
  for (let remaining = view.getUint32(8); remaining > 0; remaining--) {
    const start = at;
    if (at + 42 + hash > index.length) return undefined;
    const isLink = (view.getUint32(at + 24) & 0xf000) === 0xe000;
    const extended = (view.getUint16(at + 40 + hash) & 0x4000) !== 0;
    at += 42 + hash + (extended ? 2 : 0);
    const strip = version === 4 ? offsetAt(index, at) : { value: 0, end: at };
    const end = strip ? index.indexOf(0, strip.end) : -1;
    if (!strip || end < 0) return undefined;
    const written = index.subarray(strip.end, end);
    const name = version === 4 ? appended(previous, strip.value, written) : written;
    if (isLink) paths.push(new TextDecoder().decode(name));
    previous = name;
    // One to eight NULs pad the entry's length to a multiple of eight.
    at = version === 4 ? end + 1 : start + ((end - start + 8) & ~7);
  }
  return sharesOther(index, view, at, hash) ? undefined : paths;
}

/** Reads a number in git's offset encoding; undefined if it is too large. */
function offsetAt(index: Uint8Array, at: number): { value: number; end: number } | undefined {
  let end = at;
  let byte = index[end++] ?? 0;
  let value = byte & 127;
  while (byte & 128) {
    byte = index[end++] ?? 0;
    value = ((value + 1) << 7) | (byte & 127);
    if (value > 1_000_000) return undefined;
  }
  return { value, end };
}

/** Version 4 writes a name as what follows after the previous name without its last `strip` bytes. */
function appended(previous: Uint8Array, strip: number, written: Uint8Array): Uint8Array {
  const start = previous.subarray(0, Math.max(0, previous.length - strip));
  const name = new Uint8Array(start.length + written.length);
  name.set(start);
  name.set(written, start.length);
  return name;
}

/** Whether entries are in another file: the extension `link` of a split index. */
function sharesOther(index: Uint8Array, view: DataView, from: number, hash: number): boolean {
  for (let at = from; at + 8 <= index.length - hash; at += 8 + view.getUint32(at + 4)) {
    if (view.getUint32(at) === 0x6c696e6b) return true;
  }
  return false;
}
