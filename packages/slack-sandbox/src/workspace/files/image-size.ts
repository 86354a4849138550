interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Reads the size of a PNG, GIF or JPEG from its bytes. Returns undefined for other files. */
export function readImageSize(bytes: Uint8Array): ImageSize | undefined {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (data.byteLength >= 24 && data.getUint32(0) === pngStart)
    return { width: data.getUint32(16), height: data.getUint32(20) };
  if (data.byteLength >= 10 && data.getUint32(0) === gifStart)
    return { width: data.getUint16(6, true), height: data.getUint16(8, true) };
  if (data.byteLength >= 4 && data.getUint16(0) === jpegStart) return readJpegSize(data);
  return undefined;
}

const pngStart = 0x89504e47;
const gifStart = 0x47494638;
const jpegStart = 0xffd8;

/** JPEG markers that start a frame, which contains the size. */
const frameMarkers: ReadonlySet<number> = new Set([
  ...[0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf],
]);

function readJpegSize(data: DataView): ImageSize | undefined {
  let at = 2;
  while (at + 9 <= data.byteLength && data.getUint8(at) === 0xff) {
    if (frameMarkers.has(data.getUint8(at + 1)))
      return { width: data.getUint16(at + 7), height: data.getUint16(at + 5) };
    at += 2 + data.getUint16(at + 2);
  }
  return undefined;
}
