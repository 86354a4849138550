import { includesRight, type Right } from '../../operations/right.ts';
import type { Need } from '../../operations/runs/access.ts';
import { belongs, type Standing } from './directory.ts';
import { everything, fits } from './pattern.ts';

/** A right on what a pattern is of. */
export interface Held {
  readonly right: Right;
  readonly pattern: string;
}

/** Everything that decides what somebody may. */
export interface Situation {
  readonly standing: Standing;
  /** What was granted to them, to their groups, and to every member. */
  readonly held: readonly Held[];
  /** Whether Slack could not say of some group that has rights whether they are in it. */
  readonly isUnsure: boolean;
  /** What the channel is limited to. */
  readonly channelMost?: Right;
}

export type Decision =
  | { readonly kind: 'allowed' }
  /** Not of this workspace, or nobody knows. */
  | { readonly kind: 'outsider'; readonly standing: Standing }
  /** Granted, but not in this channel. */
  | { readonly kind: 'limited'; readonly most: Right }
  /** Not granted as far as it is known. */
  | { readonly kind: 'unsure' }
  /** Not granted: for these VPS, or, where they are none, for all. */
  | { readonly kind: 'lacking'; readonly vps: readonly string[] };

/** Decides whether somebody may: what counts is the intersection of what they hold and what the channel is limited to. Denied unless granted. */
export function decide({ standing, held, isUnsure, channelMost }: Situation, need: Need): Decision {
  if (!belongs(standing)) return { kind: 'outsider', standing };
  const all = standing === 'admin' ? [{ right: 'administer', pattern: everything } as const] : held;
  const patterns = all.filter(({ right }) => includesRight(right, need.right)).map(({ pattern }) => pattern);
  const missing = need.vps.filter((name) => !patterns.some((pattern) => fits(pattern, name)));
  const isHeld =
    need.vps.length > 0
      ? missing.length === 0
      : need.isForSome
        ? patterns.length > 0
        : patterns.includes(everything);
  if (!isHeld) return isUnsure ? { kind: 'unsure' } : { kind: 'lacking', vps: missing };
  if (channelMost !== undefined && !includesRight(channelMost, need.right)) {
    return { kind: 'limited', most: channelMost };
  }
  return { kind: 'allowed' };
}
