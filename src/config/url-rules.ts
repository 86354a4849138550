import { isIP } from 'node:net';

/** Hosts of metadata services, which hand out credentials to cloud machines. */
const metadataHosts: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  '100.100.100.200',
  '192.0.0.192',
  '[fd00:ec2::254]',
]);

/** Returns whether a URL points to a cloud's metadata service or to another link-local address. */
export function isMetadataUrl(text: string): boolean {
  const host = readHost(text);
  return metadataHosts.has(host) || host.startsWith('169.254.') || /^\[(fe80:|::ffff:a9fe:)/.test(host);
}

/**
 * Returns whether requests to a URL stay on this machine or in a private network. True for a private
 * address, and for a hostname without a domain, which is common in container networks.
 */
export function isLocalUrl(text: string): boolean {
  const host = readHost(text);
  if (host === 'localhost' || host.endsWith('.localhost') || host === '') return true;
  if (host.startsWith('[')) return /^\[(::1\]|f[cd][0-9a-f]{2}:)/.test(host);
  if (isIP(host) === 0) return !host.includes('.');
  return /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/.test(host);
}

/** Returns a URL's host in lower case, or an empty string if the text isn't a URL. */
function readHost(text: string): string {
  return URL.canParse(text) ? new URL(text).hostname.toLowerCase().replace(/\.$/, '') : '';
}
