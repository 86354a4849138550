import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import type { JsonObject } from '../../json.ts';

/** Sizes in which Slack offers people's avatars, in pixels. */
const personSizes: readonly number[] = [24, 32, 48, 72, 192, 512];
/** Sizes in which Slack offers the icons of bots, in pixels. */
const botSizes: readonly number[] = [36, 48, 72];

/** Sizes in which Slack offers the icon of a workspace, in pixels. */
const teamSizes: readonly number[] = [34, 44, 68, 88, 102, 132, 230];

const maxSize = 1024;

/** Returns the fields of a profile with the URLs of a person's avatar. The sandbox serves the images. */
export function toAvatarFields(baseUrl: string, id: string): JsonObject {
  return { avatar_hash: hash(id).slice(0, 12), ...toImages(baseUrl, id, personSizes) };
}

/** Returns the URLs of a bot's icons. */
export function toBotIcons(baseUrl: string, botId: string): JsonObject {
  return toImages(baseUrl, botId, botSizes);
}

/** Returns the icons of a workspace that has not chosen one. */
export function toTeamIcon(baseUrl: string, teamId: string): JsonObject {
  return { ...toImages(baseUrl, teamId, teamSizes), image_default: true };
}

/** Returns the color that Slack gives a person, as six hexadecimal digits. */
export function toPersonColor(id: string): string {
  return hash(id).slice(0, 6);
}

function toImages(baseUrl: string, id: string, sizes: readonly number[]): JsonObject {
  return Object.fromEntries(sizes.map((size) => [`image_${size}`, `${baseUrl}/avatars/${id}-${size}.png`]));
}

/** Draws the avatar with this file name: a square in the color of its owner. Returns undefined for other names. */
export function drawAvatar(fileName: string): Uint8Array | undefined {
  const [, id = '', digits = ''] = /^([A-Z0-9]{1,40})-(\d{1,4})\.png$/.exec(fileName) ?? [];
  const size = Number(digits);
  if (id === '' || size < 1 || size > maxSize) return undefined;
  return encodePng(size, Buffer.from(toPersonColor(id), 'hex'));
}

/** Encodes a square of one color as a PNG with a palette of that color. */
function encodePng(size: number, color: Uint8Array): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.writeUInt8(8, 8);
  header.writeUInt8(3, 9);
  // Each row is the number of its filter, 0, and the palette's only entry, 0, for each pixel.
  const rows = Buffer.alloc(size * (size + 1));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    toChunk('IHDR', header),
    toChunk('PLTE', color),
    toChunk('IDAT', deflateSync(rows)),
    toChunk('IEND', Buffer.alloc(0)),
  ]);
}

function toChunk(name: string, data: Uint8Array): Buffer {
  const content = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, checksum]);
}

function hash(id: string): string {
  return createHash('sha256').update(id).digest('hex');
}
