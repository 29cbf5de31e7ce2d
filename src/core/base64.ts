/** Bytes as text. */

export function base64(bytes: Uint8Array): string {
  let binary = "";
  // In chunks: passing all bytes as arguments of one call would overflow the stack.
  for (let at = 0; at < bytes.length; at += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(binary);
}
