import { randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';

/** Makes what Slack makes up: ids, message times, hashes. Nothing is ever made twice, resets included. */
export interface Mint {
  /** A message's `ts`: seconds and microseconds, later than every one before. */
  ts(): string;
  /** An id such as `V0000000A`, unique within its prefix. */
  id(prefix: string): string;
  /** A view's `hash`. */
  hash(): string;
  /** A `block_id` or `action_id` for what came without one. */
  label(): string;
  /** Text that cannot be guessed, for URLs. */
  secret(): string;
}

export function createMint(clock: Clock): Mint {
  let lastMicros = 0;
  let made = 0;

  const secondsNow = () => Math.floor(clock.now() / 1000);

  return {
    ts() {
      lastMicros = Math.max(lastMicros + 1, Math.floor(clock.now() * 1000));
      const micros = String(lastMicros % 1_000_000).padStart(6, '0');
      return `${Math.floor(lastMicros / 1_000_000)}.${micros}`;
    },
    id(prefix) {
      made += 1;
      return `${prefix}${made.toString(36).toUpperCase().padStart(8, '0')}`;
    },
    hash: () => `${secondsNow()}.${randomBytes(4).toString('hex')}`,
    label: () => randomBytes(4).toString('base64url').slice(0, 5),
    secret: () => randomBytes(18).toString('base64url'),
  };
}
