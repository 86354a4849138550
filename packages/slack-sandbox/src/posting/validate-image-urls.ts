import { isIP } from 'node:net';
import type { Problem } from '../block-kit/validation/validate.ts';
import { isObject } from '../json.ts';
import type { Workspace } from '../workspace/workspace.ts';

/**
 * Reports images in blocks that Slack's servers can never load: those on this machine or in a private
 * network, and those whose name no public DNS resolves. Other URLs aren't tried, because the sandbox
 * needs no network. Its own URL stands for Slack's servers.
 */
export function validateImageUrls(
  { baseUrl }: Pick<Workspace, 'baseUrl'>,
  value: unknown,
  pointer: string,
): Problem[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => validateImageUrls({ baseUrl }, item, `${pointer}/${index}`));
  }
  if (!isObject(value)) return [];
  const parts = Object.entries(value).flatMap(([field, part]) =>
    validateImageUrls({ baseUrl }, part, `${pointer}/${field}`),
  );
  const isRefused =
    value.type === 'image' &&
    typeof value.image_url === 'string' &&
    isUnreachable(value.image_url, baseUrl());
  return isRefused
    ? [...parts, { pointer: `${pointer}/image_url`, message: 'downloading image failed' }]
    : parts;
}

/** Top-level names that are never in public DNS (RFC 2606, RFC 6761, RFC 6762). */
const localDomains = /(?:^|\.)(?:example|internal|invalid|local|localhost|test)$/;

function isUnreachable(url: string, sandboxUrl: string): boolean {
  if (!URL.canParse(url) || new URL(url).origin === new URL(sandboxUrl).origin) return false;
  const host = new URL(url).hostname.toLowerCase();
  const address = host.replace(/^\[|\]$/g, '');
  if (isIP(address)) return isPrivateAddress(address);
  return !host.includes('.') || localDomains.test(host);
}

/** Returns whether an IP address is loopback, link-local or private. */
function isPrivateAddress(address: string): boolean {
  if (isIP(address) === 6) return /^(?:::1?$|f[cd]|fe[89ab]|::ffff:)/.test(address);
  const [first = 0, second = 0] = address.split('.').map(Number);
  return (
    [0, 10, 127].includes(first) ||
    (first === 169 && second === 254) ||
    (first === 172 && second >= 16 && second < 32) ||
    (first === 192 && second === 168)
  );
}
