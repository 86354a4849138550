import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { includesRight, rights } from '../../../src/operations/right.ts';
import type { Need } from '../../../src/operations/runs/access.ts';
import { decide, type Situation } from '../../../src/workspaces/rights/decision.ts';

const names = ['VPS-10001', 'VPS-10002', 'VPS-20001', 'VPS-web'];
const patterns = ['*', 'VPS-*', 'VPS-100*', 'VPS-10001', 'VPS-*1', 'VPS-w*b'];

const right = fc.constantFrom(...rights);
const held = fc.record({ right, pattern: fc.constantFrom(...patterns) });
const need: fc.Arbitrary<Need> = fc.record({
  right,
  vps: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 3 }),
  isForSome: fc.boolean(),
});
const situation: fc.Arbitrary<Situation> = fc.record(
  {
    standing: fc.constantFrom('admin', 'member', 'guest', 'deleted', 'bot', 'stranger', 'unknown'),
    held: fc.array(held, { maxLength: 5 }),
    isUnsure: fc.boolean(),
    channelMost: right,
  },
  { requiredKeys: ['standing', 'held', 'isUnsure'] },
);

const isAllowed = (given: Situation, needed: Need) => decide(given, needed).kind === 'allowed';

/** The rule in other words: each VPS by itself, and a pattern as a regular expression. */
function mayByTheRule({ standing, held: all, channelMost }: Situation, needed: Need): boolean {
  if (standing !== 'admin' && standing !== 'member') return false;
  if (channelMost !== undefined && !includesRight(channelMost, needed.right)) return false;
  if (standing === 'admin') return true;
  const enough = all.filter((one) => includesRight(one.right, needed.right));
  const expressions = enough.map(({ pattern }) => new RegExp(`^${pattern.replaceAll('*', '.*')}$`));
  if (needed.vps.length > 0) {
    return needed.vps.every((name) => expressions.some((expression) => expression.test(name)));
  }
  return needed.isForSome ? enough.length > 0 : enough.some(({ pattern }) => pattern === '*');
}

describe('what somebody may', () => {
  test('is what they were granted, and no more than the channel is limited to', () => {
    fc.assert(
      fc.property(situation, need, (given, needed) => {
        expect(isAllowed(given, needed)).toBe(mayByTheRule(given, needed));
      }),
      { numRuns: 2_000 },
    );
  });

  test('is nothing where nothing was granted', () => {
    fc.assert(
      fc.property(situation, need, (given, needed) => {
        fc.pre(given.standing !== 'admin');
        expect(isAllowed({ ...given, held: [] }, needed)).toBe(false);
      }),
    );
  });

  test('is nothing for whoever is no member, whatever was granted', () => {
    fc.assert(
      fc.property(situation, need, (given, needed) => {
        fc.pre(given.standing !== 'admin' && given.standing !== 'member');
        expect(decide(given, needed)).toEqual({ kind: 'outsider', standing: given.standing });
      }),
    );
  });

  test('never shrinks by a grant, nor grows by a limit', () => {
    fc.assert(
      fc.property(situation, held, right, need, (given, more, most, needed) => {
        if (isAllowed(given, needed)) {
          expect(isAllowed({ ...given, held: [...given.held, more] }, needed)).toBe(true);
        }
        const { channelMost: _, ...unlimited } = given;
        if (isAllowed({ ...given, channelMost: most }, needed)) {
          expect(isAllowed(unlimited, needed)).toBe(true);
        }
      }),
    );
  });

  test('includes what takes less of the same', () => {
    fc.assert(
      fc.property(situation, need, right, (given, needed, less) => {
        fc.pre(includesRight(needed.right, less));
        if (isAllowed(given, needed)) expect(isAllowed(given, { ...needed, right: less })).toBe(true);
      }),
    );
  });

  test('names just the VPS that it lacks', () => {
    const given: Situation = {
      standing: 'member',
      held: [{ right: 'change', pattern: 'VPS-100*' }],
      isUnsure: false,
    };
    const vps = ['VPS-10001', 'VPS-20001'];
    expect(decide(given, { right: 'change', vps })).toEqual({ kind: 'lacking', vps: ['VPS-20001'] });
    expect(decide({ ...given, isUnsure: true }, { right: 'change', vps })).toEqual({ kind: 'unsure' });
  });
});
