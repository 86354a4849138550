import { isIP } from 'node:net';
import { normalizeVpsName } from '../../../hosting/payloads/vps-name.ts';

/** Matches a VPS name that was typed as two words: `VPS 10001`. */
const spacedVpsName = /^vps[\s_]+#?(\d+)$/i;

/**
 * Extracts the name of a VPS from typed or pasted text: a URL, a hostname with a trailing dot, or `VPS
 * 10001`. Other text stays unchanged, except that the prefix of a VPS name becomes upper case.
 */
export function toVpsReference(typed: string): string {
  const [, number] = spacedVpsName.exec(typed) ?? [];
  if (number !== undefined) return `VPS-${number}`;
  return normalizeVpsName(findUrlHost(typed) ?? typed.replace(/(?<=[^.])\.$/, ''));
}

function findUrlHost(typed: string): string | undefined {
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(typed)) return undefined;
  const host = URL.parse(typed)?.hostname.replace(/^\[(.*)\]$/, '$1');
  return host === '' ? undefined : host;
}

/** Returns a name without the account before it: `web-01` for `root@web-01`. */
export function withoutAccount(name: string): string {
  return name.replace(/^[\w.-]+@(?=[^@]+$)/, '');
}

/**
 * Lists the names that typed text can mean: the text itself, both spellings of `VPS 10001`, what
 * `toVpsReference` returns, and the text without an account.
 */
export function listVpsReferences(typed: string): readonly string[] {
  const [, number] = spacedVpsName.exec(typed) ?? [];
  const spaced = number === undefined ? [] : [`VPS ${number}`, `VPS_${number}`];
  return [...new Set([typed, ...spaced, toVpsReference(typed), withoutAccount(typed)])];
}

/** Joins VPS names that were typed as two words: `VPS 10001` becomes `VPS_10001`. */
export function joinVpsNames(words: readonly string[]): readonly string[] {
  return words.flatMap((word, index) => {
    const name = (at: number) => spacedVpsName.exec(`${words[at]} ${words[at + 1]}`)?.[1];
    if (name(index - 1) !== undefined) return [];
    const number = name(index);
    return [number === undefined ? word : `VPS_${number}`];
  });
}

/** Returns an IP address in canonical form, without its prefix length, or undefined for other text. */
export function toCanonicalAddress(text: string): string | undefined {
  const address = text.trim().replace(/\/\d+$/, '');
  const version = isIP(address);
  if (version === 0) return undefined;
  return version === 4 ? address : URL.parse(`http://[${address}]/`)?.hostname.slice(1, -1);
}
