import { expect, test } from 'vitest';
import { findRequiredAccess } from '../../../src/operations/define/access/required-access.ts';
import { parseInput } from '../../../src/operations/define/arguments/input.ts';
import { requiresConfirmation, resolveEffect } from '../../../src/operations/define/inspect-operation.ts';
import { createActionOperation } from '../../../src/operations/vps/action.ts';

const action = createActionOperation(['reboot', 'rescue']);
if (action.kind !== 'change') throw new Error('an action changes something');

const vps = 'VPS-10001';

test.each(['reboot', 'stop', 'start', 'START', 'rescue', 'started'])(
  'the action %s asks for a confirmation',
  (word) => {
    expect(requiresConfirmation(action, { vps, action: word })).toBe(true);
  },
);

test('an action from the settings asks for a confirmation', () => {
  expect(requiresConfirmation(createActionOperation(['start']), { vps, action: 'start' })).toBe(true);
});

test.each([
  ['start', 'disrupt', 'operate'],
  ['reboot', 'disrupt', 'operate'],
  ['rescue', 'disrupt', 'operate'],
  ['reinstall', 'destroy', 'destroy'],
  ['START', 'destroy', 'destroy'],
])('the action %s counts as %s, and needs the right to %s', (word, effect, right) => {
  expect(resolveEffect(action, { vps, action: word })).toBe(effect);
  expect(findRequiredAccess(action, parseInput(action, { vps, action: word }))).toMatchObject({
    right,
    vps: [vps],
  });
});

test('its form opens for people with the right to operate the VPS', () => {
  expect(findRequiredAccess(action, parseInput(action, { vps }))).toMatchObject({
    right: 'operate',
    vps: [vps],
  });
});

test('its form offers the actions from the settings, and preselects none', () => {
  expect(action.arguments.action).toMatchObject({
    control: { kind: 'choice', options: ['reboot', 'rescue'] },
    required: true,
  });
  expect(parseInput(action, { vps: 'VPS-10001' })).toMatchObject({ kind: 'invalid', isIncomplete: true });
});

test('any other word can be typed, but only a single word', () => {
  expect(parseInput(action, { vps: 'VPS-10001', action: 'power-cycle' }).kind).toBe('valid');
  for (const text of ['two words', '<!channel>', '../reinstall', 'x'.repeat(65), '']) {
    expect(parseInput(action, { vps: 'VPS-10001', action: text }).kind).toBe('invalid');
  }
});
