import { encode } from 'modern-gif';
import { PNG } from 'pngjs';

/** A screenshot, and how long the animation shows it. */
export interface Frame {
  readonly png: Uint8Array;
  readonly delayMs: number;
}

/** Encodes frames of equal size as an animated GIF that loops forever. */
export async function encodeGif(frames: readonly Frame[]): Promise<Uint8Array> {
  const images = frames.map(({ png, delayMs }) => ({ ...PNG.sync.read(Buffer.from(png)), delayMs }));
  const [first] = images;
  if (!first) throw new Error('an animation needs at least one frame');
  const { width, height } = first;
  const gif = await encode({
    width,
    height,
    looped: true,
    maxColors: 255,
    frames: images.map(({ data, delayMs }) => ({
      data: new Uint8ClampedArray(data),
      width,
      height,
      delay: delayMs,
    })),
  });
  return new Uint8Array(gif);
}
