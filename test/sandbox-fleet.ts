/** First labels of the sandbox's hostnames, beginning with VPS-10001. */
const names = [
  'web-01',
  'web-02',
  'api-01',
  'worker-01',
  'db-01',
  'db-02',
  'cache-01',
  'files-01',
  'mail-01',
  'ci-01',
  'staging-01',
  'legacy-01',
];

/** Returns how messages name a VPS of the sandbox: `web-01 (VPS-10001)`. */
export function sandboxLabel(vpsName: string): string {
  const name = names[Number(vpsName.slice('VPS-'.length)) - 10_001];
  if (name === undefined) throw new Error(`the sandbox has no ${vpsName}`);
  return `${name} (${vpsName})`;
}
