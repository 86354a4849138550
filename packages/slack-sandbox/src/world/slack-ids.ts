import { createHash } from 'node:crypto';

/** Length of the part of an ID after its first letter. */
const idChars = 10;

/** Returns an ID such as `U07K3QW2M9Z`. It is the same for the same names, also after a restart. */
export function createSlackId(prefix: string, ...names: readonly string[]): string {
  const digits = hash(prefix, ...names)
    .toString(36)
    .toUpperCase();
  return `${prefix}0${digits.slice(0, idChars)}`;
}

/** Returns a bot token in Slack's format. It is the same for the same workspace. */
export function createBotToken(workspace: string): string {
  const digits = hash('token', workspace).toString().slice(0, 25);
  const secret = createHash('sha256').update(`secret ${workspace}`).digest('hex').slice(0, 24);
  return `xoxb-${digits.slice(0, 12)}-${digits.slice(12)}-${secret}`;
}

function hash(...parts: readonly string[]): bigint {
  return BigInt(`0x${createHash('sha256').update(parts.join('\0')).digest('hex')}`);
}
