// Register fields of a track's commands, a field at a time: a query asks for one or two of a hundred.
import { type Columns, readChunkColumns } from "./decode";
import type { Chunk, FieldsHead } from "./generated";

/** A register field by row of a track. */
export interface RegisterField {
  /** NaN where the command has no such field. */
  values: Float64Array;
  /** 1 where the value is a text: an index into the page's strings. Null where none is. */
  isText: Uint8Array | null;
}

/** All names of register fields that a track's commands have. */
export function registerNames(fields: FieldsHead | null): string[] {
  return [...new Set((fields?.layouts ?? []).flatMap(({ chunk }) => chunk.columns.map(({ key }) => key)))];
}

/** Reads a field; null where no command has it. `whole` gives the columns of a chunk that is decoded already. */
export async function readRegister(fields: FieldsHead, name: string, layout: Float64Array, whole: (chunk: Chunk) => Promise<Columns> | undefined): Promise<RegisterField | null> {
  const of = fields.layouts.map(({ chunk }) => ({ chunk, column: chunk.columns.find(({ key }) => key === name) }));
  if (of.every(({ column }) => !column)) return null;
  const columns = await Promise.all(of.map(async ({ chunk, column }) => column && (await (whole(chunk) ?? readChunkColumns(chunk, [name])))[name]));
  const isText = of.some(({ column }) => column?.map) ? new Uint8Array(layout.length) : null;
  const values = new Float64Array(layout.length);
  const seen = new Uint32Array(of.length);
  for (let row = 0; row < layout.length; row++) {
    const at = layout[row]!;
    values[row] = columns[at]?.[seen[at]!++] ?? NaN;
    if (isText && of[at]?.column?.map) isText[row] = 1;
  }
  return { values, isText };
}
