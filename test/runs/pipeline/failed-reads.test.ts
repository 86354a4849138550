import { expect, test } from 'vitest';
import type { CallOptions, HostingClient } from '../../../src/hosting/client/hosting-client.ts';
import { HostingError } from '../../../src/hosting/hosting-error.ts';
import { parseInput } from '../../../src/operations/define/arguments/input.ts';
import type { RunnerDependencies } from '../../../src/runs/runner.ts';
import { actor, useRunnerFixture } from '../runner-fixture.ts';

const fixture = useRunnerFixture();

/** The real client, but each call begins with `before`. */
function createHosting(before: (options: CallOptions) => void): HostingClient {
  return {
    ...fixture.client,
    async call(endpoint, input, options) {
      before(options);
      return fixture.client.call(endpoint, input, options);
    },
  };
}

const denial = { message: 'no', advice: 'no' };

test.each<[string, RunnerDependencies['resolveAccess'], object]>([
  [
    'an admin gets a button that replaces it',
    async () => () => undefined,
    {
      advice: 'The key may have been revoked. Replace it.',
      nextSteps: [expect.objectContaining({ label: expect.stringContaining('Key') })],
    },
  ],
  [
    'another member reads whom to ask',
    async () => (required) => (required.right === 'admin' ? denial : undefined),
    {
      advice: expect.stringMatching(/^The key may have been revoked\. Ask a workspace owner or admin/),
      nextSteps: [],
    },
  ],
])('if the API key is rejected, %s', async (_, resolveAccess, problem) => {
  const hosting = createHosting(() => {
    throw new HostingError('key_rejected', 'The key was rejected.', { sendState: 'answered', status: 401 });
  });
  const log = { info: () => undefined, error: () => undefined };
  const runner = fixture.createRunner({ hostingClientFor: () => hosting, resolveAccess, log });
  expect(await fixture.request(runner, 'list', {})).toMatchObject({
    kind: 'problem',
    problem: { code: 'key_rejected', ...problem },
  });
});

test('a schedule learns why its change could not be checked', async () => {
  const hosting = createHosting(() => {
    throw new HostingError('service_unreachable', 'Unreachable.', { sendState: 'not-sent' });
  });
  const operation = fixture.withOperations().find('reboot');
  if (operation?.kind !== 'change') throw new Error('there is no reboot');
  const log = { info: () => undefined, error: () => undefined };
  const runner = fixture.createRunner({ hostingClientFor: () => hosting, log });
  const reply = await runner.runScheduled({
    requestKey: 'scheduled',
    operation,
    parsed: parseInput(operation, { vps: 'web-01' }),
    actor,
    origin: { channel: 'C1', schedule: 'Nightly' },
    scheduleApproverId: undefined,
  });
  expect(reply).toMatchObject({ kind: 'problem', problem: { code: 'service_unreachable' } });
  expect(await fixture.changingCalls()).toEqual([]);
});
