import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideAccess, type HeldAccess } from '../../src/auth/access-decision.ts';
import type { RequiredAccess } from '../../src/operations/define/access/access.ts';
import { includesRight, rights } from '../../src/operations/define/access/right.ts';

const names = ['VPS-10001', 'VPS-10002', 'VPS-20001', 'VPS-web'];
const patterns = ['*', 'VPS-*', 'VPS-100*', 'VPS-10001', 'VPS-*1', 'VPS-w*b'];

const right = fc.constantFrom(...rights);
const held = fc.record({ right, pattern: fc.constantFrom(...patterns), isRevealRevoked: fc.boolean() });
const required: fc.Arbitrary<RequiredAccess> = fc.record({
  right,
  vps: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 3 }),
  isAnyVpsEnough: fc.boolean(),
});
const heldAccess: fc.Arbitrary<HeldAccess> = fc.record(
  {
    memberType: fc.constantFrom('admin', 'member', 'guest', 'deleted', 'bot', 'external', 'unknown'),
    heldRights: fc.array(held, { maxLength: 5 }),
    isGroupMembershipUnknown: fc.boolean(),
    channelMaxRight: right,
  },
  { requiredKeys: ['memberType', 'heldRights', 'isGroupMembershipUnknown'] },
);

const isAllowed = (access: HeldAccess, needed: RequiredAccess) =>
  decideAccess(access, needed).kind === 'allowed';

/** The same rule, written independently: VPS by VPS, with patterns as regular expressions. */
function isAllowedByRule(
  { memberType, heldRights, channelMaxRight }: HeldAccess,
  needed: RequiredAccess,
): boolean {
  if (memberType !== 'admin' && memberType !== 'member') return false;
  if (channelMaxRight !== undefined && !includesRight(channelMaxRight, needed.right)) return false;
  if (memberType === 'admin') return true;
  const enough = heldRights.filter(
    ({ right: own, isRevealRevoked }) =>
      includesRight(own, needed.right) && (needed.right !== 'reveal' || !isRevealRevoked),
  );
  const expressions = enough.map(({ pattern }) => new RegExp(`^${pattern.replaceAll('*', '.*')}$`));
  if (needed.vps.length > 0) {
    return needed.vps.every((name) => expressions.some((expression) => expression.test(name)));
  }
  return needed.isAnyVpsEnough ? enough.length > 0 : enough.some(({ pattern }) => pattern === '*');
}

describe('an access decision', () => {
  test('allows exactly what was granted, up to the limit of the channel', () => {
    fc.assert(
      fc.property(heldAccess, required, (access, needed) => {
        expect(isAllowed(access, needed)).toBe(isAllowedByRule(access, needed));
      }),
      { numRuns: 2_000 },
    );
  });

  test('denies non-members whatever was granted', () => {
    fc.assert(
      fc.property(heldAccess, required, (access, needed) => {
        fc.pre(access.memberType !== 'admin' && access.memberType !== 'member');
        expect(decideAccess(access, needed)).toEqual({ kind: 'nonMember', memberType: access.memberType });
      }),
    );
  });

  test('names exactly the VPS on which the right is missing', () => {
    const access: HeldAccess = {
      memberType: 'member',
      heldRights: [{ right: 'operate', pattern: 'VPS-100*' }],
      isGroupMembershipUnknown: false,
    };
    const vps = ['VPS-10001', 'VPS-20001'];
    expect(decideAccess(access, { right: 'operate', vps })).toEqual({ kind: 'missing', vps: ['VPS-20001'] });
    expect(decideAccess({ ...access, isGroupMembershipUnknown: true }, { right: 'operate', vps })).toEqual({
      kind: 'unknown',
    });
  });
});
