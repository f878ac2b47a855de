// Bytes that stand in the page as text: gzipped, in base64.

export async function unpacked(text: string): Promise<ArrayBuffer> {
  const binary = atob(text);
  const packed = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}
