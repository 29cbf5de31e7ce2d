/**
 * A model that llama.cpp loads and that says nothing of sense: a real vocabulary and one layer of random weights, as a GGUF file of 20 MB. How
 * many tokens a prompt has, and how many of them a cache has already, depends on the vocabulary and the template alone.
 */
import { generator } from "../support/random.ts";

/** The sizes of the layer. */
const WIDTH = 32;
const HIDDEN = 64;
const HEADS = 2;
/** Tokens that the model takes. */
const WINDOW = 65_536;
/** As llama.cpp aligns the data of tensors. */
const ALIGNMENT = 32;

/** Types of values in a GGUF file, by their number; null: text and lists. */
const SIZES = [1, 1, 2, 2, 4, 4, 4, 1, null, null, 8, 8, 8] as const;
const [UINT32, FLOAT32, TEXT, LIST] = [4, 6, 8, 9] as const;
/** Of tensors. */
const F32 = 0;

/** A key with its value as it is in the file. */
interface Field {
  key: string;
  bytes: Buffer;
}

/** Reads the fields of a file, which begin after its head. */
function fieldsOf(file: Buffer): { fields: Field[]; tokens: number } {
  let at = 16;
  let tokens = 0;
  const count = (): number => {
    const value = Number(file.readBigUInt64LE(at));
    at += 8;
    return value;
  };
  const text = (): string => {
    const length = count();
    at += length;
    return file.toString("utf8", at - length, at);
  };
  const skip = (type: number): number => {
    if (type === TEXT) {
      text();
      return 1;
    }
    if (type === LIST) {
      const of = file.readUInt32LE(at);
      at += 4;
      const length = count();
      for (let index = 0; index < length; index++) skip(of);
      return length;
    }
    const size = SIZES[type];
    if (!size) throw new Error(`${type} is no type of a value`);
    at += size;
    return 1;
  };
  const fields = Array.from({ length: count() }, (): Field => {
    const key = text();
    const start = at;
    const type = file.readUInt32LE(at);
    at += 4;
    const length = skip(type);
    if (key === "tokenizer.ggml.tokens") tokens = length;
    return { key, bytes: file.subarray(start, at) };
  });
  return { fields, tokens };
}

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const uint64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
const float32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
};
const words = (text: string): Buffer => Buffer.concat([uint64(Buffer.byteLength(text)), Buffer.from(text)]);

const number = (key: string, value: number): Field => ({
  key,
  bytes: Buffer.concat([uint32(UINT32), uint32(value)]),
});

/** Returns the model. `vocabulary`: a GGUF file with a tokenizer, such as those that llama.cpp is tested with. */
export function tinyModel(vocabulary: Buffer): Buffer {
  const { fields, tokens } = fieldsOf(vocabulary);
  const all: Field[] = [
    { key: "general.architecture", bytes: Buffer.concat([uint32(TEXT), words("llama")]) },
    number("llama.block_count", 1),
    number("llama.context_length", WINDOW),
    number("llama.embedding_length", WIDTH),
    number("llama.feed_forward_length", HIDDEN),
    number("llama.attention.head_count", HEADS),
    number("llama.attention.head_count_kv", HEADS),
    number("llama.rope.dimension_count", WIDTH / HEADS),
    {
      key: "llama.attention.layer_norm_rms_epsilon",
      bytes: Buffer.concat([uint32(FLOAT32), float32(1e-5)]),
    },
    ...fields.filter(({ key }) => key.startsWith("tokenizer.")),
  ];
  const tensors: [name: string, ...shape: number[]][] = [
    ["token_embd.weight", WIDTH, tokens],
    ["output_norm.weight", WIDTH],
    ["blk.0.attn_norm.weight", WIDTH],
    ["blk.0.attn_q.weight", WIDTH, WIDTH],
    ["blk.0.attn_k.weight", WIDTH, WIDTH],
    ["blk.0.attn_v.weight", WIDTH, WIDTH],
    ["blk.0.attn_output.weight", WIDTH, WIDTH],
    ["blk.0.ffn_norm.weight", WIDTH],
    ["blk.0.ffn_gate.weight", WIDTH, HIDDEN],
    ["blk.0.ffn_up.weight", WIDTH, HIDDEN],
    ["blk.0.ffn_down.weight", HIDDEN, WIDTH],
  ];
  const random = generator(1);
  const data: Buffer[] = [];
  let offset = 0;
  const heads = tensors.map(([name, ...shape]) => {
    const weights = Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () => random() - 0.5);
    const bytes = padded(Buffer.from(weights.buffer));
    data.push(bytes);
    offset += bytes.length;
    const place = uint64(offset - bytes.length);
    return Buffer.concat([words(name), uint32(shape.length), ...shape.map(uint64), uint32(F32), place]);
  });
  const head = [Buffer.from("GGUF"), uint32(3), uint64(tensors.length), uint64(all.length)];
  const described = all.flatMap(({ key, bytes }) => [words(key), bytes]);
  return Buffer.concat([padded(Buffer.concat([...head, ...described, ...heads])), ...data]);
}

function padded(bytes: Buffer): Buffer {
  const rest = bytes.length % ALIGNMENT;
  return rest === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(ALIGNMENT - rest)]);
}
