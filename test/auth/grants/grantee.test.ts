import { expect, test } from 'vitest';
import { toGranteeKind } from '../../../src/auth/grants/grantee.ts';

test.each([
  ['everyone', 'everyone'],
  ['S0ONCALL', 'group'],
  ['U0BOB', 'person'],
  ['W0BOB', 'person'],
])('%s is a grantee of the kind %s', (id, kind) => {
  expect(toGranteeKind(id)).toBe(kind);
});
