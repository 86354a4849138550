import { isPlainText } from './plain-words.ts';
import { listSecretParts } from './secret-detection.ts';

/** Minimum length of a secret. Shorter ones would be found in any text. */
const minSecretChars = 4;

/** Returns whether a text, or a number, contains one of the secrets. */
export type SecretMatcher = (text: string) => boolean;

/**
 * Creates a function that finds secrets in other texts in the same payload: `curlftpfs b1:PW@host`. Also
 * finds secrets encoded for URLs, JSON or HTML, or in Base64. Ignores secrets that are common words, VPS
 * names as in the API document, or in `names`.
 */
export function createSecretMatcher(secrets: Iterable<string>, names: readonly string[] = []): SecretMatcher {
  /**
   * The secrets by first characters and length, so searching for many secrets takes no longer than
   * searching for one.
   */
  const byStart = new Map<string, Map<number, Set<string>>>();
  for (const part of new Set([...new Set(secrets)].flatMap(listSecretParts))) {
    if (part.length < minSecretChars || isPlainText(part, names) || /^vps-[a-z\d]{5}$/i.test(part)) continue;
    const start = part.slice(0, minSecretChars);
    const byLength = byStart.get(start) ?? new Map<number, Set<string>>();
    byStart.set(start, byLength.set(part.length, (byLength.get(part.length) ?? new Set()).add(part)));
  }
  if (byStart.size === 0) return () => false;
  const contains = (text: string) => {
    for (let index = 0; index <= text.length - minSecretChars; index += 1) {
      for (const [length, parts] of byStart.get(text.slice(index, index + minSecretChars)) ?? []) {
        const part = text.slice(index, index + length);
        if (parts.has(part) && isWhole(text, index, part)) return true;
      }
    }
    return false;
  };
  return (text) => contains(text) || listDecoded(text).some(contains);
}

/** Returns whether digits match a whole number, so a port isn't found inside a size. */
function isWhole(text: string, index: number, secret: string): boolean {
  if (!/^\d+$/.test(secret)) return true;
  return !/\d/.test(text.charAt(index - 1)) && !/\d/.test(text.charAt(index + secret.length));
}

/** Maximum length of a text that is decoded. */
const maxDecodedChars = 20_000;
const base64Pattern = /[\w+/-]{8,}={0,2}/g;

/** Decodes a text from URL, JSON, HTML and Base64 encoding, and lists the results. */
function listDecoded(text: string): readonly string[] {
  if (text.length > maxDecodedChars) return [];
  const decoded = (text.match(base64Pattern) ?? []).map((word) => Buffer.from(word, 'base64').toString());
  if (/%[\da-f]{2}/i.test(text)) {
    const bytes = text.replaceAll('+', ' ').replace(/%(?![\da-f]{2})/gi, '%25');
    decoded.push(decodeUtf8(bytes));
  }
  if (text.includes('\\'))
    decoded.push(
      text
        .replace(/\\u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
        .replace(/\\(.)/g, '$1'),
    );
  if (text.includes('&'))
    decoded.push(
      text.replace(/&(amp|lt|gt|quot|#39|apos);/g, (_, name: string) => htmlCharacters[name] ?? ''),
    );
  return decoded;
}

const htmlCharacters: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  apos: "'",
};

function decodeUtf8(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
