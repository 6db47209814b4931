/** The members of the global `WebAssembly` object that this file uses. Node's type declarations omit the object. */
declare const WebAssembly: {
  readonly Memory: new (options: { readonly initial: number }) => { readonly buffer: ArrayBuffer };
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: Readonly<Record<string, Readonly<Record<string, object>>>>,
  ) => { readonly exports: Readonly<Record<string, unknown>> };
};

const NEWLINE = 0x0a;
const BLOCK_BYTES = 16;
const PAGE_BYTES = 65_536;
const CHUNK_BYTES = 1024 * 1024;
/**
 * File size, in bytes, above which line ends are counted with WebAssembly. For smaller files, creating the counter
 * takes longer than it saves.
 */
const LARGE_BYTES = 8 * 1024 * 1024;

/** A read buffer, and a function that counts the line ends in the buffer. */
export interface LineCounter {
  /** Buffer to read into. */
  readonly chunk: Buffer;
  /** Returns the number of line ends in the first `length` bytes of the buffer. */
  countIn(length: number): number;
}

/** Encodes a number in WebAssembly's variable-length format (LEB128): seven bits per byte. */
function leb(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb(value >>> 7)];
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...leb(content.length), ...content];
}

const [I32, V128, VOID] = [0x7f, 0x7b, 0x40];
const [IMPORTED, EXPORTED] = [
  [1, 0x6d],
  [1, 0x63],
]; // "m", "c"
const get = (local: number): number[] => [0x20, local];
const set = (local: number): number[] => [0x21, local];
const tee = (local: number): number[] => [0x22, local];
const number = (value: number): number[] => [0x41, ...leb(value)];
const vector = (operation: number): number[] => [0xfd, ...leb(operation)];
const [ADD, LESS, SELECT, END, LOOP, IF] = [0x6a, 0x49, 0x1b, 0x0b, 0x03, 0x04];
// Indexes of the two parameters and the local variables of the WebAssembly function.
const [AT, LAST, TOTAL, SUMS, STOP] = [0, 1, 2, 3, 4];
const lane = (index: number): number[] => [...get(SUMS), ...vector(27), index];

/**
 * Code of the WebAssembly function `count(at, last)`: counts line ends from `at`, sixteen bytes at a time, to the end
 * of the block that contains `last`.
 */
const COUNT: readonly number[] = [
  ...[3, 1, I32, 1, V128, 1, I32],
  ...[LOOP, VOID, ...get(AT), ...get(LAST), LESS, IF, VOID],
  // Each of the sixteen byte-sized sums grows by at most 1 per block: stop = min(at + 255 blocks, last).
  ...[...get(AT), ...number(255 * BLOCK_BYTES), ADD, ...tee(STOP), ...get(LAST)],
  ...[...get(STOP), ...get(LAST), LESS, SELECT, ...set(STOP)],
  ...[...vector(12), ...Array.from({ length: BLOCK_BYTES }, () => 0), ...set(SUMS)],
  // sums -= (block == newline), because the comparison yields -1 for equal bytes.
  ...[LOOP, VOID, ...get(SUMS), ...get(AT), ...vector(0), 0, 0, ...number(NEWLINE), ...vector(15), ...vector(35)],
  ...[
    ...vector(113),
    ...set(SUMS),
    ...get(AT),
    ...number(BLOCK_BYTES),
    ADD,
    ...tee(AT),
    ...get(STOP),
    LESS,
    0x0d,
    0,
    END,
  ],
  // total += all sums: neighbouring lanes are added twice into wider lanes, then the remaining four lanes.
  ...[...get(TOTAL), ...get(SUMS), ...vector(125), ...vector(127), ...set(SUMS)],
  ...[...lane(0), ...lane(1), ADD, ...lane(2), ADD, ...lane(3), ADD, ADD, ...set(TOTAL), 0x0c, 1, END, END],
  ...[...get(TOTAL), END],
];

const MODULE: Uint8Array = Uint8Array.from([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...section(1, [1, 0x60, 2, I32, I32, 1, I32]),
  ...section(2, [1, ...IMPORTED, ...IMPORTED, 2, 0, 1]),
  ...section(3, [1, 0]),
  ...section(7, [1, ...EXPORTED, 0, 0]),
  ...section(10, [1, ...leb(COUNT.length), ...COUNT]),
]);

type Count = (at: number, last: number) => number;

function isCount(value: unknown): value is Count {
  return typeof value === "function";
}

let compiled: object | undefined;

function vectorCounter(bytes: number): LineCounter | undefined {
  try {
    const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) });
    compiled ??= new WebAssembly.Module(MODULE);
    const count = new WebAssembly.Instance(compiled, { m: { m: memory } }).exports["c"];
    if (!isCount(count)) return undefined;
    const chunk = Buffer.from(memory.buffer, 0, bytes);
    const countIn = (length: number): number => {
      const blockBytes = length - (length % BLOCK_BYTES);
      return (blockBytes === 0 ? 0 : count(0, blockBytes)) + countOneByOne(chunk.subarray(blockBytes, length));
    };
    return { chunk, countIn };
  } catch {
    // WebAssembly is not available, because address space is limited or code generation is not permitted.
    return undefined;
  }
}

function countOneByOne(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}

/**
 * Creates a read buffer for a file of this size, and a counter for the line ends in the buffer. For large files the
 * counter uses WebAssembly, which processes sixteen bytes at once and takes much less time than reading. Searching for
 * each line end separately would take longer than reading.
 */
export function createLineCounter(size: number): LineCounter {
  const bytes = Math.max(1, Math.min(CHUNK_BYTES, size + 1));
  const counter = size < LARGE_BYTES ? undefined : vectorCounter(bytes);
  if (counter !== undefined) return counter;
  return plainLineCounter(Buffer.allocUnsafe(bytes));
}

/** Creates a line counter for an existing buffer. It searches for each line end separately, without WebAssembly. */
export function plainLineCounter(chunk: Buffer): LineCounter {
  return { chunk, countIn: (length) => countOneByOne(chunk.subarray(0, length)) };
}
