import { expect, test } from 'vitest';
import { getVps } from '../../../src/hosting/endpoints/vps.ts';
import type { OperationContext } from '../../../src/operations/define/operation.ts';
import { shareRecentReads } from '../../../src/runs/pipeline/run-unless-change.ts';
import {
  advanceTime,
  advanceUntilSettled,
  peopleCall,
  relaxedLimits,
  startSandboxClientHarness,
  useFakeTime,
} from '../../hosting/client/client-harness.ts';

useFakeTime();

const outcome = { title: 'VPS-10001', notes: ['A note.'] };
const vps = { params: { vps_name: 'VPS-10001' } };

test('an answer from a shared reply says its age from a second on, and a new one says none', async () => {
  const { client, listCalls } = await startSandboxClientHarness({ limits: relaxedLimits });
  const read: OperationContext['read'] = (endpoint, input, options) =>
    client.call(endpoint, input, { ...peopleCall, ...options });
  const context = { read } as OperationContext;
  const notes = async () => {
    const { context: shared, withAge } = shareRecentReads(context, 3_000);
    await advanceUntilSettled(shared.read(getVps, vps));
    return withAge(outcome).notes;
  };
  expect(await notes()).toEqual(['A note.']);
  await advanceTime(500);
  expect(await notes()).toEqual(['A note.']);
  await advanceTime(1_500);
  expect(await notes()).toEqual(['A note.', 'As of 2 s ago.']);
  expect(await listCalls()).toHaveLength(1);
  await advanceTime(1_500);
  expect(await notes()).toEqual(['A note.']);
  expect(await listCalls()).toHaveLength(2);
});
