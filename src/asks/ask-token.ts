import { createHash } from 'node:crypto';
import type { Ask } from './ask.ts';

/** Returns a card's button value, which is bound to exactly what the card asks for. */
export function toAskToken({ id, subject }: Pick<Ask, 'id' | 'subject'>): string {
  return `${id}.${digest(subject)}`;
}

/** Parses a button's value. `isFor` tells whether the card asked for exactly this subject. */
export function parseAskToken(token: string) {
  const [id = '', subjectDigest] = token.split('.');
  return { id, isFor: ({ subject }: Pick<Ask, 'subject'>) => digest(subject) === subjectDigest };
}

function digest(subject: string): string {
  return createHash('sha256').update(subject).digest('base64url').slice(0, 22);
}
