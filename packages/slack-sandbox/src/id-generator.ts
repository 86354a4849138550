import { randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';

/** Generates Slack's IDs, timestamps and hashes. Values are never repeated, even after a reset. */
export interface IdGenerator {
  /** Returns a message's `ts` in seconds and microseconds. It is later than all earlier ones. */
  ts(): string;
  /** Returns an ID such as `V0000000A`. IDs with the same prefix are unique. */
  id(prefix: string): string;
  /** Returns a new `hash` for a view. */
  hash(): string;
  /** Returns an ID for a block without `block_id`, or for an element without `action_id`. */
  elementId(): string;
  /** Returns a string for URLs that can't be guessed. */
  secret(): string;
}

export function createIdGenerator(clock: Clock): IdGenerator {
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
    elementId: () => randomBytes(4).toString('base64url').slice(0, 5),
    secret: () => randomBytes(18).toString('base64url'),
  };
}
