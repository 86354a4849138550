import { describe, expect, test } from 'vitest';
import { getReinstallOptions, getVps } from '../../../src/hosting/endpoints/vps.ts';
import { findRequiredAccess } from '../../../src/operations/define/access/required-access.ts';
import { parseInput } from '../../../src/operations/define/arguments/input.ts';
import {
  findWarning,
  requiresConfirmation,
  resolveEffect,
} from '../../../src/operations/define/inspect-operation.ts';
import { parseCommand } from '../../../src/operations/grammar/parse-command.ts';
import { hostingOperations } from '../../../src/operations/hosting-operations.ts';
import { createActionOperation } from '../../../src/operations/vps/action.ts';
import { readVpsProgress } from '../../../src/operations/vps/progress.ts';
import { createStubRead, findChange, runRead, serializePublicPart } from '../operation-harness.ts';

describe('action', () => {
  const action = createActionOperation(['reboot', 'rescue']);
  if (action.kind !== 'change') throw new Error('an action changes something');

  const vps = 'VPS-10001';

  test.each(['reboot', 'stop', 'start', 'START', 'rescue', 'started'])(
    'the action %s asks for a confirmation',
    (word) => {
      expect(requiresConfirmation(action, { vps, action: word })).toBe(true);
    },
  );

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
});

describe('extra', () => {
  const reinstall = findChange('reinstall');

  /** Parses a typed reinstall. Returns its body and title, or the problems. */
  function parse(words: string) {
    const command = parseCommand(`reinstall VPS-10001 --os debian-13 ${words}`, hostingOperations());
    const parsed = command.kind === 'run' ? parseInput(reinstall, command.raw) : undefined;
    if (parsed?.kind !== 'valid') return { problems: parsed?.problems.map(({ message }) => message) };
    return { body: reinstall.request(parsed.input).body, title: reinstall.title(parsed.input) };
  }

  describe('extra fields of a reinstall', () => {
    test('are sent and named in the title', () => {
      expect(
        parse('--field hostname=web-01 --field=keep_ip=true --field size=12 --field \'pin="012"\''),
      ).toEqual({
        body: {
          os: 'debian-13',
          delivery: 'api',
          hostname: 'web-01',
          keep_ip: true,
          size: 12,
          pin: '012',
        },
        title: 'Reinstall VPS-10001 with debian-13, hostname=web-01, keep_ip=true, size=12, pin="012"',
      });
    });

    test.each([
      ['--field hostname', 'Field looks like hostname=web-01'],
      ['--field os=windows', 'Use --os and --delivery for these fields'],
      ['--field Delivery=x', 'Use --os and --delivery for these fields'],
      ['--field __proto__=x', 'Use letters, digits, _, . and -'],
      ['--field "a b=x"', 'Use letters, digits, _, . and -'],
      [
        '--field root_password=x',
        "Rackhand stores all input, so it can't accept secrets. Set this one at the hosting service",
      ],
    ])('are rejected as %s', (words, message) => {
      expect(parse(words)).toEqual({ problems: [message] });
    });
  });
});

describe('os list', () => {
  const list = (data: unknown) =>
    runRead('os list', { vps: 'VPS-10001' }, new Map([[getReinstallOptions, data]]));

  test('lists the systems, and the body that the service expects', async () => {
    const outcome = await list({
      vps_name: 'VPS-10001',
      systems: ['debian-12', 'debian-13'],
      body: { os: 'string', delivery: 'api|email', required: ['hostname'] },
    });
    expect(outcome.title).toBe('2 systems for VPS-10001');
    expect(outcome.table?.rows).toEqual([
      ['debian-12', { kind: 'code', code: 'debian-12' }],
      ['debian-13', { kind: 'code', code: 'debian-13' }],
    ]);
    expect(outcome.facts).toEqual([
      { label: 'Body OS', value: 'string' },
      { label: 'Body delivery', value: 'api|email' },
      { label: 'Body required', value: 'hostname' },
    ]);
    expect(outcome.notes).toEqual(['The service requires hostname. Set it with --field hostname=VALUE.']);
    expect(outcome.choiceSteps).toMatchObject([{ operation: 'reinstall', argument: 'os' }]);
  });
});

describe('progress', () => {
  const readProgress = (vps: unknown) =>
    readVpsProgress(createStubRead(new Map([[getVps, vps]])), 'VPS-10001');

  test.each([
    'rebooting',
    'Restarting',
    'STOPPING',
    'shutting_down',
    'HARD_REBOOT',
    'in_progress',
    'pending',
    'queued',
    'locked (backup)',
  ])('an action is in progress while a VPS is %s', async (state) => {
    expect(await readProgress({ vps_name: 'VPS-10001', state })).toEqual({
      isFinished: false,
      state,
      text: `VPS-10001 is ${state}.`,
    });
  });

  test.each(['running', 'Running', 'stopped', 'online', 'blocked', 'unlocked', 'error', 'error_deleting'])(
    'an action has finished when a VPS is %s',
    async (state) => {
      expect(await readProgress({ vps_name: 'VPS-10001', status: state })).toEqual({
        isFinished: true,
        state,
        text: `VPS-10001 is ${state} now.`,
      });
    },
  );

  test.each(['VM running', 'PowerState/stopped', 'STATUS_ACTIVE'])(
    'an action has finished when a VPS is %s, which is a known state',
    async (state) => {
      expect(await readProgress({ vps_name: 'VPS-10001', state })).not.toHaveProperty('isEndUnknown');
      expect(await readProgress({ vps_name: 'VPS-10001', state })).toMatchObject({ isFinished: true, state });
    },
  );

  test.each(['wird gestartet', '再起動中', 'phase 2', 'running (status) but off (power_state)', 'unknown'])(
    'an action is not called finished when a VPS is %s, which is an unknown state',
    async (state) => {
      expect(await readProgress({ vps_name: 'VPS-10001', state })).toEqual({
        isFinished: true,
        isEndUnknown: true,
        state,
        text: `VPS-10001 is ${state}. Rackhand doesn't know whether work is still under way in this state.`,
      });
    },
  );

  test('an action whose state the service does not show is not polled', async () => {
    expect(await readProgress({ vps_name: 'VPS-10001' })).toMatchObject({
      isFinished: true,
      isEndUnknown: true,
    });
  });
});

describe('passwords', () => {
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
});

test('only the reboot of a VPS that may be running is said to interrupt it', () => {
  const warn = (state: string) =>
    findWarning(
      findChange('reboot'),
      {},
      { facts: [{ label: 'State', value: { kind: 'state', state } }], nowMs: 0 },
    );
  expect(warn('running')).toMatch(/interrupted/);
  expect(warn('stopped')).toBeUndefined();
});
