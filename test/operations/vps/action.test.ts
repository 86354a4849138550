import { expect, test } from 'vitest';
import { parseInput } from '../../../src/operations/input.ts';
import { needsConfirmation } from '../../../src/operations/operation.ts';
import { createAction } from '../../../src/operations/vps/action.ts';

const action = createAction(['reboot', 'rescue']);
if (action.kind !== 'change') throw new Error('an action changes something');

test.each(['reboot', 'stop', 'START', 'rescue', 'started'])('the action %s asks first', (word) => {
  expect(needsConfirmation(action, { vps: 'VPS-10001', action: word })).toBe(true);
});

test('the action start, which does no harm, does not ask', () => {
  expect(needsConfirmation(action, { vps: 'VPS-10001', action: 'start' })).toBe(false);
});

test('its form offers the actions of the setting, and has chosen none', () => {
  expect(action.arguments.action).toMatchObject({
    control: { kind: 'choice', options: ['reboot', 'rescue'] },
    required: true,
  });
  expect(parseInput(action, { vps: 'VPS-10001' })).toMatchObject({ ok: false, missing: true });
});

test('any other word can be typed, and nothing but a word', () => {
  expect(parseInput(action, { vps: 'VPS-10001', action: 'power-cycle' }).ok).toBe(true);
  for (const text of ['two words', '<!channel>', '../reinstall', 'x'.repeat(65), '']) {
    expect(parseInput(action, { vps: 'VPS-10001', action: text }).ok).toBe(false);
  }
});
