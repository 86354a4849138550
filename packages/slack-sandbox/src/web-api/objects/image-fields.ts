import type { JsonObject } from '../../json.ts';
import type { StoredFile } from '../../workspace/files/file-store.ts';
import { readImageSize } from '../../workspace/files/image-size.ts';

/** Thumbnails that every image has, as squares of this size. */
const squareSizes = [64, 80, 160];
/** The thumbnail that every image has, and larger ones, in which the longer side has up to this size. */
const smallestSize = 360;
const largerSizes = [480, 720, 800, 960, 1024];

/** Returns an image's size, and the URLs of its thumbnails. Returns nothing for other files. */
export function toImageFields({ type, bytes, name }: StoredFile, folderUrl: string): JsonObject {
  const size = type?.isImage && bytes ? readImageSize(bytes) : undefined;
  if (!size) return {};
  const longest = Math.max(size.width, size.height);
  const stem = name.replace(/\.\w+$/, '');
  const extension = type?.filetype === 'jpg' ? 'jpg' : 'png';
  const url = (side: number) => `${folderUrl}/${encodeURIComponent(`${stem}_${side}.${extension}`)}`;
  const sides = [smallestSize, ...largerSizes.filter((side) => side <= longest)];
  return {
    original_w: size.width,
    original_h: size.height,
    ...Object.fromEntries(squareSizes.map((side) => [`thumb_${side}`, url(side)])),
    ...Object.fromEntries(
      sides.flatMap((side) => {
        const scale = Math.min(1, side / longest);
        return [
          [`thumb_${side}`, url(side)],
          [`thumb_${side}_w`, Math.round(size.width * scale)],
          [`thumb_${side}_h`, Math.round(size.height * scale)],
        ];
      }),
    ),
  };
}
