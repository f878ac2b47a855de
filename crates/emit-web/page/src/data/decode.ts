// Chunks: base64, raw deflate, varint columns.
import type { Chunk, ColumnHead } from "./generated";

type Column = Float64Array;
export type Columns = Record<string, Column>;

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const native = (Uint8Array as unknown as { fromBase64?: (s: string) => Uint8Array<ArrayBuffer> }).fromBase64;
  if (native) return native(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Puts the mapped number in each one's place. */
export function remap(numbers: Column, map: number[]): Column {
  for (let i = 0; i < numbers.length; i++) numbers[i] = map[numbers[i]!] ?? -1;
  return numbers;
}

/** Reads a column's numbers. Numbers above 2^32 take the slow path of multiplication; all are below 2^53. */
export function readColumn(bytes: Uint8Array, at: number, head: ColumnHead, rows: number): Column {
  const out = new Float64Array(rows);
  if (head.enc === "c") return out.fill((head.value ?? 0) / (head.scale ?? 1));
  const zigzag = head.enc !== "v";
  const running = head.enc === "d";
  let last = 0;
  for (let i = 0; i < rows; i++) {
    let byte = bytes[at++]!;
    let n = byte & 0x7f;
    if (byte > 0x7f) {
      let shift = 7;
      do {
        byte = bytes[at++]!;
        n = shift < 28 ? n | ((byte & 0x7f) << shift) : (shift === 28 ? n >>> 0 : n) + (byte & 0x7f) * 2 ** shift;
        shift += 7;
      } while (byte > 0x7f);
    }
    if (zigzag) n = n % 2 === 0 ? n / 2 : -(n + 1) / 2;
    if (running) n = last += n;
    out[i] = n;
  }
  const scale = head.scale ?? 1;
  if (scale !== 1) for (let i = 0; i < rows; i++) out[i]! /= scale;
  return out;
}

/** Decodes a chunk's columns; the element is emptied, the text is not needed twice. */
export async function readChunk(chunk: Chunk): Promise<Columns> {
  const columns = await readChunkColumns(chunk);
  document.getElementById(`c${chunk.id}`)?.remove();
  return columns;
}

/** Decodes those of a chunk's columns that are wanted, or all; the element stays. */
export async function readChunkColumns(chunk: Chunk, wanted?: string[]): Promise<Columns> {
  const columns: Columns = {};
  const element = document.getElementById(`c${chunk.id}`);
  const stored = chunk.columns.some((c) => c.bytes > 0);
  if (stored && !element) throw new Error(`chunk ${chunk.id} is missing: the page is not whole`);
  const bytes = stored ? await inflate(fromBase64(element!.textContent ?? "")) : new Uint8Array();
  let at = 0;
  for (const column of chunk.columns) {
    if (!wanted || wanted.includes(column.key)) {
      const numbers = readColumn(bytes, at, column, chunk.rows);
      columns[column.key] = column.map ? remap(numbers, column.map) : numbers;
    }
    at += column.bytes;
  }
  if (at !== bytes.length) throw new Error(`chunk ${chunk.id} has ${bytes.length} bytes, not ${at}`);
  return columns;
}
