import { expect, test } from 'vitest';
import { HostingError } from '../../src/hosting/hosting-error.ts';
import { createScheduleFixture } from './schedule-fixture.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const vps = 'VPS-10001 VPS-10002';

/** Lets each call about VPS-10001 fail. */
function failFirst(code: 'not_found' | 'service_failed', otherAnswer: object) {
  return async (_process: string, name: string): Promise<object> => {
    if (name !== 'VPS-10001') return otherAnswer;
    throw new HostingError(code, 'The call failed.', { sendState: 'answered' });
  };
}

test.each([
  { code: 'not_found', endsAfterMs: minuteMs, text: "VPS-10001 couldn't be read, so nothing was done." },
  {
    code: 'service_failed',
    endsAfterMs: 20 * minuteMs,
    text: "nothing was done. VPS-10001 couldn't be read: The call failed.",
  },
] as const)('a VPS that fails with $code is reported, and the others are rebooted', async (given) => {
  const { posted, store, runs, hooks, createProcess, add, advance } = await createScheduleFixture();
  const { id } = await add('nightly', { vps });
  hooks.readVps = failFirst(given.code, { status: 'running' });
  await createProcess('A').start();
  await advance(hourMs + 30_000);
  expect([...runs.keys()]).toEqual([expect.stringContaining('VPS-10002')]);
  await advance(given.endsAfterMs);
  expect(posted.at(-1)).toContain('Done for 1 of 2 VPS.');
  expect(posted.at(-1)).toContain(given.text);
  expect(await store.get(id)).toMatchObject({ occurrence: null, lastResult: { isOk: false } });
});

test.each([
  { code: 'not_found', endsAfterMs: minuteMs },
  { code: 'service_failed', endsAfterMs: 2 * hourMs + 5 * minuteMs },
] as const)('a list of snapshots that fails with $code does not keep an occurrence open', async (given) => {
  const { posted, store, runs, requestedNames, hooks, createProcess, add, advance } =
    await createScheduleFixture();
  const keep = { hours: 0, days: 1, weeks: 0, months: 0, years: 0 };
  const { id } = await add('nightly', { operation: 'snapshot create', vps, keep });
  const list: typeof hooks.readVps = (process, name) => {
    const snapshots = requestedNames.map((one) => ({ name: one, status: 'available' }));
    return failFirst(given.code, { snapshots })(process, name);
  };
  // The states are read before the runs, and the snapshots after them.
  hooks.readVps = async (process, name) =>
    [...runs.keys()].some((key) => key.includes(name))
      ? list(process, name)
      : { status: 'running', snapshots: [] };
  await createProcess('A').start();
  await advance(hourMs + 30_000);
  expect([...runs.keys()]).toHaveLength(2);
  await advance(given.endsAfterMs, 5_000);
  expect(posted.at(-1)).toContain('Done for 1 of 2 VPS.');
  expect(await store.get(id)).toMatchObject({ occurrence: null, lastResult: { isOk: false } });
});

test.each([
  { code: 'permission_missing', endsAfterMs: minuteMs },
  { code: 'service_failed', endsAfterMs: 20 * minuteMs },
] as const)('a list of VPS that fails with $code is named as the reason', async (given) => {
  const { posted, store, hooks, createProcess, add, advance } = await createScheduleFixture();
  const { id } = await add('nightly', { vps: 'VPS-*' });
  hooks.readVps = async () => {
    throw new HostingError(given.code, 'The call failed.', { sendState: 'answered' });
  };
  await createProcess('A').start();
  await advance(hourMs + given.endsAfterMs, 5_000);
  const text = "The list of VPS couldn't be read, so nothing was done. The call failed.";
  expect(posted.at(-1)).toContain(text);
  expect(await store.get(id)).toMatchObject({ occurrence: null, lastResult: { isOk: false, text } });
});
