// A library of Windows (PE32+, x64) without any code: each function that it exports is one of another library.

const FILE_ALIGNMENT = 0x200;
const SECTION_ADDRESS = 0x1000;
const EXPORT_DIRECTORY_SIZE = 40;

/**
 * The bytes of the library.
 * @param {string} name such as "a.dll"
 * @param {Record<string, string>} forwards the exported functions, each with "library.function", sorted by name
 */
export function forwardingDll(name, forwards) {
  const names = Object.keys(forwards);
  /** @type {number[]} */
  const places = [];
  const tables = SECTION_ADDRESS + EXPORT_DIRECTORY_SIZE;
  const texts = [name, ...names, ...Object.values(forwards)];
  let end = tables + names.length * (4 + 4 + 2);
  for (const text of texts) {
    places.push(end);
    end += text.length + 1;
  }
  const section = Buffer.alloc(Math.ceil((end - SECTION_ADDRESS) / FILE_ALIGNMENT) * FILE_ALIGNMENT);
  const write32 = (/** @type {number} */ address, /** @type {number} */ value) =>
    section.writeUInt32LE(value, address - SECTION_ADDRESS);
  const nameTable = tables + names.length * 4;
  const ordinals = nameTable + names.length * 4;
  write32(SECTION_ADDRESS + 12, places[0] ?? 0);
  write32(SECTION_ADDRESS + 16, 1);
  write32(SECTION_ADDRESS + 20, names.length);
  write32(SECTION_ADDRESS + 24, names.length);
  write32(SECTION_ADDRESS + 28, tables);
  write32(SECTION_ADDRESS + 32, nameTable);
  write32(SECTION_ADDRESS + 36, ordinals);
  for (const index of names.keys()) {
    // An address inside the export section is that of the text "library.function".
    write32(tables + index * 4, places[1 + names.length + index] ?? 0);
    write32(nameTable + index * 4, places[1 + index] ?? 0);
    section.writeUInt16LE(index, ordinals + index * 2 - SECTION_ADDRESS);
  }
  for (const [index, text] of texts.entries())
    section.write(text, (places[index] ?? 0) - SECTION_ADDRESS, "latin1");
  return Buffer.concat([headers(section.length, end - SECTION_ADDRESS), section]);
}

/** @param {number} size of the section in the file @param {number} used of it */
function headers(size, used) {
  const bytes = Buffer.alloc(FILE_ALIGNMENT);
  bytes.write("MZ", 0, "latin1");
  const pe = 0x40;
  bytes.writeUInt32LE(pe, 0x3c);
  bytes.write("PE\0\0", pe, "latin1");
  const coff = pe + 4;
  bytes.writeUInt16LE(0x8664, coff);
  bytes.writeUInt16LE(1, coff + 2);
  bytes.writeUInt16LE(240, coff + 16);
  // Executable, large addresses, a library.
  bytes.writeUInt16LE(0x2022, coff + 18);
  const optional = coff + 20;
  bytes.writeUInt16LE(0x20b, optional);
  bytes.writeUInt32LE(size, optional + 8);
  bytes.writeBigUInt64LE(0x180000000n, optional + 24);
  bytes.writeUInt32LE(SECTION_ADDRESS, optional + 32);
  bytes.writeUInt32LE(FILE_ALIGNMENT, optional + 36);
  bytes.writeUInt16LE(6, optional + 40);
  bytes.writeUInt16LE(6, optional + 48);
  bytes.writeUInt32LE(SECTION_ADDRESS + Math.ceil(size / SECTION_ADDRESS) * SECTION_ADDRESS, optional + 56);
  bytes.writeUInt32LE(FILE_ALIGNMENT, optional + 60);
  bytes.writeUInt16LE(3, optional + 68);
  bytes.writeUInt16LE(0x100, optional + 70);
  for (const at of [72, 88]) bytes.writeBigUInt64LE(0x100000n, optional + at);
  for (const at of [80, 96]) bytes.writeBigUInt64LE(0x1000n, optional + at);
  bytes.writeUInt32LE(16, optional + 108);
  bytes.writeUInt32LE(SECTION_ADDRESS, optional + 112);
  bytes.writeUInt32LE(used, optional + 116);
  const section = optional + 240;
  bytes.write(".edata", section, "latin1");
  bytes.writeUInt32LE(used, section + 8);
  bytes.writeUInt32LE(SECTION_ADDRESS, section + 12);
  bytes.writeUInt32LE(size, section + 16);
  bytes.writeUInt32LE(FILE_ALIGNMENT, section + 20);
  // Initialized data, readable.
  bytes.writeUInt32LE(0x40000040, section + 36);
  return bytes;
}
