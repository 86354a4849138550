import { expect, test } from 'vitest';
import type { HostingClient } from '../../../src/hosting/client/hosting-client.ts';
import type { Endpoint } from '../../../src/hosting/endpoints/endpoint.ts';
import { listVps } from '../../../src/hosting/endpoints/vps.ts';
import { getWebgate } from '../../../src/hosting/endpoints/webgate.ts';
import type { ResolveAccess } from '../../../src/operations/define/access/access.ts';
import { parseInput } from '../../../src/operations/define/arguments/input.ts';
import type { RawInput } from '../../../src/operations/define/arguments/raw-input.ts';
import { listRemoteFields } from '../../../src/operations/define/arguments/remote-fields.ts';
import type { NextStep } from '../../../src/operations/define/outcome.ts';
import { askWhich } from '../../../src/runs/pipeline/names/name-problems.ts';
import type { RunnerDependencies } from '../../../src/runs/runner.ts';
import { parseRunId, useRunnerFixture } from '../runner-fixture.ts';

const fixture = useRunnerFixture();

/** Runs an operation. Returns the problem or the confirmation. */
async function ask(name: string, raw: RawInput, overrides: Partial<RunnerDependencies> = {}) {
  const reply = await fixture.request(fixture.createRunner(overrides), name, raw);
  if (reply.kind === 'problem') return { ...reply.problem, runId: reply.runId };
  return reply.kind === 'confirmation' ? reply.confirmation : reply;
}

/** The real service, except for the response of one endpoint. */
function answeringWith(endpoint: Endpoint, data: unknown): Partial<RunnerDependencies> {
  const client: HostingClient = {
    usage: () => fixture.client.usage(),
    async call(called, input, options) {
      if (called.path === endpoint.path && called.method === 'GET') return called.data.parse(data) as never;
      return fixture.client.call(called, input, options);
    },
  };
  return { hostingClientFor: () => client };
}

/** Rights on some VPS only. */
const canOnly =
  (...vps: readonly string[]): ResolveAccess =>
  async () =>
  (need) => {
    const isAllowed =
      need.vps.length === 0 ? need.isAnyVpsEnough : need.vps.every((one) => vps.includes(one));
    return isAllowed ? undefined : { message: `denied ${need.vps.join()}`, advice: '' };
  };

const labels = (steps: readonly NextStep[] = []) => steps.map(({ label }) => label);

test.each(['db-02', 'db-02.acme.example', 'DB-02'])(
  'a reboot of %s is a reboot of the VPS with this hostname',
  async (name) => {
    const asked = await ask('reboot', { vps: name });
    // The title has the name, so the facts don't repeat it.
    expect(asked).toMatchObject({
      title: 'Reboot db-02 (VPS-10006)',
      facts: [{ label: 'State', value: { kind: 'state', state: 'running' } }],
    });
    const runId = 'token' in asked ? parseRunId(asked.token) : '';
    expect(await fixture.runs.find(runId)).toMatchObject({
      target: 'VPS-10006',
      input: { vps: 'VPS-10006' },
    });
  },
);

test('the rights on the VPS count, not those on its other name', async () => {
  const overrides = { resolveAccess: canOnly('VPS-10001') };
  expect(await ask('reboot', { vps: 'web-01' }, overrides)).toMatchObject({
    title: 'Reboot web-01 (VPS-10001)',
  });
  const hidden = await ask('reboot', { vps: 'db-02' }, overrides);
  expect(hidden).toMatchObject({ message: 'Rackhand found no VPS called "db-02".' });
  expect(JSON.stringify(hidden)).not.toContain('VPS-10006');
  expect(await ask('reboot', { vps: 'VPS-10006' }, overrides)).toMatchObject({ message: 'denied VPS-10006' });
});

test('a typo gets the one close VPS, which has to be confirmed before anything is changed', async () => {
  const asked = await ask('snapshot create', { vps: 'legacy01', name: 'before' });
  expect(asked).toMatchObject({
    advice: 'Did you mean legacy-01 (VPS-10012)?',
    nextSteps: [
      { label: 'Use legacy-01 (VPS-10012)', input: { vps: 'VPS-10012', name: 'before' }, isUncertain: true },
      { label: 'List VPS' },
    ],
  });
  const operation = fixture.withOperations().find('snapshot create');
  if (!operation) throw new Error('no such operation');
  const reply = await fixture.createRunner().request({
    requestKey: 'use',
    operation,
    parsed: parseInput(operation, { vps: 'VPS-10012', name: 'before' }),
    actor: { teamId: 'T1', userId: 'U1' },
    origin: { channel: 'C1' },
    isUncertain: true,
  });
  expect(reply).toMatchObject({
    kind: 'confirmation',
    confirmation: {
      title: 'Take snapshot before of legacy-01 (VPS-10012)',
      facts: [{ label: 'State' }],
    },
  });
  expect(await fixture.changingCalls()).toEqual([]);
});

test('a name that several VPS have gets a question with a button for each', async () => {
  const vps = [
    { vps_name: 'VPS-1', hostname: 'web-01.acme.example', state: 'running' },
    { vps_name: 'VPS-2', hostname: 'web-01.globex.example', state: 'stopped' },
  ];
  const asked = await ask('reboot', { vps: 'web-01' }, answeringWith(listVps, { vps }));
  expect(asked).toMatchObject({
    message: '"web-01" could mean more than one VPS.',
    advice: 'Choose the one you mean.',
    nextSteps: [
      { label: 'web-01.acme.example (VPS-1) · running', input: { vps: 'VPS-1' } },
      { label: 'web-01.globex.example (VPS-2) · stopped', input: { vps: 'VPS-2' } },
      { label: 'List VPS' },
    ],
  });
});

test.each([
  { count: 1, isComplete: false, says: 'Choose the one you mean.' },
  {
    count: 7,
    isComplete: false,
    says: "Choose the one you mean. 2 more match: type the identifier of the one you mean. Rackhand couldn't read the whole list.",
  },
])('a question about $count VPS with one name says "$says"', ({ count, isComplete, says }) => {
  const operation = fixture.withOperations().find('reboot');
  const [field] = operation ? listRemoteFields(operation, { vps: 'web' }) : [];
  if (!operation || !field) throw new Error('no reboot');
  const choices = Array.from({ length: count }, (_, index) => ({ value: `VPS-${index}`, text: `${index}` }));
  const unresolved = { operation, raw: { vps: 'web' }, input: {}, field, name: 'web' };
  const asked = askWhich(unresolved, choices, isComplete);
  expect(asked.advice).toBe(says);
  expect(asked.nextSteps).toHaveLength(Math.min(count, 5) + 1);
});

test('a VPS name that is not in the list can be tried anyway, and only the service says that it does not exist', async () => {
  const asked = await ask('reboot', { vps: 'VPS-99999' });
  expect(asked).toMatchObject({
    message: "VPS-99999 isn't in the service's list of VPS.",
    nextSteps: [{ label: 'Try Anyway', isUncertain: true }, { label: 'List VPS' }],
  });
  const vps = [{ vps_name: 'VPS-1' }];
  const overrides = answeringWith(listVps, { vps });
  const step = await ask('reboot', { vps: 'VPS-10001' }, overrides);
  if (!('nextSteps' in step)) throw new Error('no steps');
  const { input = {} } = step.nextSteps?.[0] ?? {};
  const operation = fixture.withOperations().find('reboot');
  if (!operation) throw new Error('no reboot');
  const reply = await fixture.createRunner(overrides).request({
    requestKey: 'anyway',
    operation,
    parsed: parseInput(operation, input),
    actor: { teamId: 'T1', userId: 'U1' },
    origin: {},
    isUncertain: true,
  });
  expect(reply).toMatchObject({ kind: 'confirmation', confirmation: { title: 'Reboot VPS-10001' } });
});

test.each([
  ['lb delete', { domain: 'pending.example.com' }, 'active load balancers'],
  ['domain delete', { domain: 'other.example.com' }, 'domains'],
  ['port close', { port: '45678' }, 'dedicated ports'],
  [
    'lb create',
    { domain_name: 'new.example.com', backends: ['VPS-10001:80'], dedicated_port_id: '7' },
    'dedicated ports',
  ],
  ['snapshot delete', { vps: 'VPS-10001', snapshot: 'nightly' }, 'snapshots'],
] as const)('an unlisted %s can be tried anyway', async (name, raw, noun) => {
  const webgate = { domains: [{ domain_name: 'a.example.com', vps_name: 'VPS-10001' }] };
  const part = {
    load_balancers: [{ domain_name: 'active.example.com' }],
    dedicated_ports: [{ external_port: 40001 }],
  };
  const overrides = answeringWith(getWebgate, { ...webgate, ...part });
  if (name === 'snapshot delete') {
    const runner = fixture.createRunner();
    await fixture.request(runner, 'snapshot create', { vps: 'VPS-10001', name: 'kept' });
    await expect.poll(() => fixture.changingCalls()).toHaveLength(1);
  }
  const asked = await ask(name, raw, name === 'snapshot delete' ? {} : overrides);
  expect(asked).toMatchObject({
    message: expect.stringContaining(`isn't in the service's list of ${noun}`),
  });
  expect('nextSteps' in asked && labels(asked.nextSteps)[0]).toBe('Try Anyway');
});
