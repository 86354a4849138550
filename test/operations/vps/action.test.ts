import { expect, test } from 'vitest';
import { parseInput } from '../../../src/operations/input.ts';
import { asksFirst, effectOf } from '../../../src/operations/operation.ts';
import { needOf } from '../../../src/operations/runs/access.ts';
import { createAction } from '../../../src/operations/vps/action.ts';

const action = createAction(['reboot', 'rescue']);
if (action.kind !== 'change') throw new Error('an action changes something');

const vps = 'VPS-10001';

test.each(['reboot', 'stop', 'START', 'rescue', 'started'])('the action %s asks first', (word) => {
  expect(asksFirst(action, { vps, action: word })).toBe(true);
});

test('the action start, which does no harm, does not ask, even where the setting names it', () => {
  expect(asksFirst(action, { vps, action: 'start' })).toBe(false);
  expect(asksFirst(createAction(['start']), { vps, action: 'start' })).toBe(false);
});

test.each([
  ['start', 'change', 'change'],
  ['reboot', 'disturb', 'change'],
  ['rescue', 'disturb', 'change'],
  ['reinstall', 'destroy', 'destroy'],
  ['START', 'destroy', 'destroy'],
])('the action %s counts as one that may %s, and takes the right to %s', (word, effect, right) => {
  expect(effectOf(action, { vps, action: word })).toBe(effect);
  expect(needOf(action, { vps, action: word })).toMatchObject({ right, vps: [vps] });
});

test('its form opens for who may change the VPS', () => {
  expect(needOf(action, { vps })).toMatchObject({ right: 'change', vps: [vps] });
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
