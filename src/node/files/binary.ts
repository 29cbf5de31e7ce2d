/** Describes a binary file by its first bytes. */
import { imageFacts } from "../../core/image-facts.ts";

const SIGNATURES: readonly [kind: string, bytes: number[], offset?: number][] = [
  ["a BMP image", [0x42, 0x4d]],
  ["a TIFF image", [0x49, 0x49, 0x2a, 0x00]],
  ["a TIFF image", [0x4d, 0x4d, 0x00, 0x2a]],
  ["an icon", [0x00, 0x00, 0x01, 0x00]],
  ["a PDF document", [0x25, 0x50, 0x44, 0x46]],
  ["a ZIP archive (or an office document, a jar, a package)", [0x50, 0x4b, 0x03, 0x04]],
  ["an old office document", [0xd0, 0xcf, 0x11, 0xe0]],
  ["a gzip archive", [0x1f, 0x8b]],
  ["a bzip2 archive", [0x42, 0x5a, 0x68]],
  ["an xz archive", [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ["a zstd archive", [0x28, 0xb5, 0x2f, 0xfd]],
  ["a 7z archive", [0x37, 0x7a, 0xbc, 0xaf]],
  ["a tar archive", [0x75, 0x73, 0x74, 0x61, 0x72], 257],
  ["a program (ELF)", [0x7f, 0x45, 0x4c, 0x46]],
  ["a program (Mach-O)", [0xcf, 0xfa, 0xed, 0xfe]],
  ["a Java class", [0xca, 0xfe, 0xba, 0xbe]],
  ["a program (Windows)", [0x4d, 0x5a]],
  ["WebAssembly", [0x00, 0x61, 0x73, 0x6d]],
  ["an SQLite database", [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65]],
  ["audio (MP3)", [0x49, 0x44, 0x33]],
  ["audio (Ogg)", [0x4f, 0x67, 0x67, 0x53]],
  ["audio (FLAC)", [0x66, 0x4c, 0x61, 0x43]],
  ["audio (WAV)", [0x57, 0x41, 0x56, 0x45], 8],
  ["video (MP4)", [0x66, 0x74, 0x79, 0x70], 4],
  ["video (Matroska)", [0x1a, 0x45, 0xdf, 0xa3]],
  ["a font", [0x77, 0x4f, 0x46, 0x46]],
  ["a font", [0x77, 0x4f, 0x46, 0x32]],
  ["a font", [0x00, 0x01, 0x00, 0x00, 0x00]],
];

export function describeBytes(bytes: Uint8Array): string {
  const image = imageFacts(bytes);
  if (image) return `a ${image.kind}`;
  const match = SIGNATURES.find(([, signature, offset = 0]) =>
    signature.every((byte, index) => bytes[offset + index] === byte),
  );
  return match?.[0] ?? "binary data";
}

/** For display: `812 bytes`, `3.4 MB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} byte${bytes === 1 ? "" : "s"}`;
  const units = ["KB", "MB", "GB", "TB"];
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), units.length);
  const value = bytes / 1000 ** power;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[power - 1]}`;
}
