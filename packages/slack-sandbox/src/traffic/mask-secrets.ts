/** Names of fields that hold a secret, and of inputs into which people paste one. */
const secretName = /token|secret|password|api_?key|^code$/i;

/** Values of such fields that aren't secrets: Slack's own words. */
const typeNames = new Set(['type', 'token_type', 'action_id', 'block_id']);

const mask = '••••••';

/**
 * Returns a copy of a payload without secrets. Text that a person typed into an input with the name
 * of a secret is masked too.
 */
export function maskSecrets(value: unknown, isSecret = false): unknown {
  if (typeof value === 'string') return isSecret && value !== '' ? mask : value;
  if (Array.isArray(value)) return value.map((item) => maskSecrets(item, isSecret));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => [
      name,
      typeNames.has(name) ? child : maskSecrets(child, isSecret || secretName.test(name)),
    ]),
  );
}
