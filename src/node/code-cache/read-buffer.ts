import { readSync } from "node:fs";

/**
 * Memory into which files are read one after the other. The system provides memory page by page when it is first written to, which takes
 * longer than to read the file into it.
 */
export class ReadBuffer {
  #bytes: Buffer;

  /** `size`: bytes of the largest file; for a larger one, the memory is new. What is not written to costs nothing. */
  constructor(size: number) {
    this.#bytes = Buffer.allocUnsafeSlow(size);
  }

  /** The content of an open file of this size, valid until the next call. */
  read(descriptor: number, size: number): Buffer {
    if (this.#bytes.length < size) this.#bytes = Buffer.allocUnsafeSlow(size);
    let length = 0;
    while (length < size) {
      const more = readSync(descriptor, this.#bytes, length, size - length, null);
      // The file has become shorter.
      if (more === 0) break;
      length += more;
    }
    return this.#bytes.subarray(0, length);
  }
}
