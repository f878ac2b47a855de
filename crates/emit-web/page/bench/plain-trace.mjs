// A Perfetto trace that has only slices: what a viewer needs at least for so many.

const TRACKS = 32;
const SEQUENCE = 1;
const BEGIN = 1;
const END = 2;

function varint(bytes, number) {
  let left = BigInt(number);
  for (; left > 127n; left >>= 7n) bytes.push(Number(left & 127n) | 128);
  bytes.push(Number(left));
}

/** A field of protobuf: a number, or bytes with their length. */
function field(bytes, number, value) {
  const isNumber = typeof value === "number";
  varint(bytes, (number << 3) | (isNumber ? 0 : 2));
  varint(bytes, isNumber ? value : value.length);
  if (!isNumber) for (const byte of value) bytes.push(byte);
}

const message = (...fields) => {
  const bytes = [];
  for (const [number, value] of fields) field(bytes, number, value);
  return bytes;
};
const text = (value) => [...Buffer.from(value)];

/** TracePacket: timestamp 8, track_event 11, sequence 10, track_descriptor 60. TrackEvent: type 9, track_uuid 11, name 23. */
const packet = (...fields) => message([1, message(...fields)]);

/** A trace of so many slices, one after the other on each of 32 tracks. */
export function plainTrace(slices) {
  const parts = [];
  for (let track = 1; track <= TRACKS; track++) {
    parts.push(packet([10, SEQUENCE], [60, message([1, track], [2, text(`track ${track}`)])]));
  }
  for (let n = 0; n < slices; n++) {
    const [track, start] = [(n % TRACKS) + 1, Math.floor(n / TRACKS) * 1000];
    parts.push(packet([8, start], [10, SEQUENCE], [11, message([9, BEGIN], [11, track], [23, text(`command ${n % 8}`)])]));
    parts.push(packet([8, start + 900], [10, SEQUENCE], [11, message([9, END], [11, track])]));
  }
  return Buffer.concat(parts.map((part) => Buffer.from(part)));
}
