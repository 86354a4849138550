import { describe, expect, test } from 'vitest';
import { findChange, serializePublicPart } from '../operation-harness.ts';

const password = 'Xk3$wv9Lq';

const answers = [
  { root_password: password },
  { password },
  { result: { credentials: { user: 'root', password } } },
  { credentials: [{ name: 'root_password', value: password }] },
  { new: password },
  { message: `Your new password is ${password}` },
  { result: password, state: 'done' },
];

describe.each([
  ['reinstall', { vps: 'VPS-10001', os: 'debian-13', delivery: 'api' }],
  ['password reset', { vps: 'VPS-10001', delivery: 'api' }],
  ['action', { vps: 'VPS-10001', action: 'rescue' }],
  ['backup enable', { vps: 'VPS-10001' }],
  ['backup regenerate', { vps: 'VPS-10001' }],
] as const)('the response to a %s', (name, input) => {
  test.each(answers)('is shown without the password: %j', (data) => {
    const outcome = findChange(name).outcome(data, input);
    expect(outcome.secrets?.some(({ value }) => value.includes(password))).toBe(true);
    expect(serializePublicPart(outcome)).not.toContain(password);
  });
});

describe.each([
  ['reinstall', { vps: 'VPS-10001', os: 'debian-13', delivery: 'api' }],
  ['password reset', { vps: 'VPS-10001', delivery: 'api' }],
] as const)('the response to a %s that makes a password', (name, input) => {
  test('is shown completely if the password is sent by e-mail', () => {
    const outcome = findChange(name).outcome({ delivery: 'email', sent_to: 'ops@acme.example' }, input);
    expect(outcome.secrets).toEqual([]);
    expect(outcome.facts).toContainEqual({ label: 'Sent to', value: 'ops@acme.example' });
  });

  test.each([undefined, {}, [], { state: null }])('can be empty, which is said: %j', (data) => {
    const { secrets, notes } = findChange(name).outcome(data, input);
    expect(secrets).toEqual([]);
    expect(notes?.join()).toContain("The service's response contains no password.");
    expect(findChange(name).outcome({ password }, input).notes).toEqual([]);
    expect(findChange(name).outcome(data, { ...input, delivery: 'email' }).notes).toEqual([]);
  });
});

test('a reinstall requires the name of the VPS to be typed', () => {
  const { typedToConfirm } = findChange('reinstall');
  expect(typedToConfirm?.({ vps: 'VPS-10001', os: 'debian-13', delivery: 'api' })).toBe('VPS-10001');
});
