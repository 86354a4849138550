import { describe, expect, test } from 'vitest';
import { performVpsAction } from '../../../src/hosting/endpoints/vps.ts';
import { vpsArgument } from '../../../src/operations/argument.ts';
import { defineChange } from '../../../src/operations/operation.ts';
import type { Outcome } from '../../../src/operations/outcome.ts';
import { createFollowingStore } from '../../../src/operations/runs/following-store.ts';
import type { RunnerParts } from '../../../src/operations/runs/runner.ts';
import { createVault } from '../../../src/storage/vault.ts';
import { createShownOnce } from '../../../src/workspaces/shown-once.ts';
import { asker, useRunners } from './runners.ts';

const bench = useRunners();

/** A change that answers a new password. */
function renew(outcome: () => Outcome) {
  return defineChange({
    name: 'renew',
    heading: 'Renew',
    summary: 'Renew',
    arguments: { vps: vpsArgument() },
    change: performVpsAction,
    effect: 'change',
    button: 'Renew',
    title: ({ vps }) => `Renew ${vps}`,
    target: ({ vps }) => vps,
    request: ({ vps }) => ({ params: { vps_name: vps }, body: { action: 'reboot' } }),
    outcome,
    follow: async () => ({ isOver: true, words: 'Over.' }),
  });
}

const renewed = renew(() => ({ title: 'Renewed', secrets: [{ label: 'Password', value: 'new' }] }));

/** Runs the change to its end, and gives the run and what was logged. */
async function run(operation: ReturnType<typeof renew>, over: Partial<RunnerParts>) {
  const errors: unknown[] = [];
  const pauses: number[] = [];
  const pause = async (ms: number) => void pauses.push(ms);
  const log = { info: () => undefined, error: (...words: unknown[]) => void errors.push(words) };
  const catalogue = bench.withOperations(operation);
  const runner = bench.create({ catalogue, log, pause, ...over });
  await bench.request(runner, 'renew', { vps: 'VPS-10001' });
  await runner.stop();
  const { id } = await bench.database.db.selectFrom('run').select('id').executeTakeFirstOrThrow();
  expect(await bench.changes()).toHaveLength(1);
  return { run: await bench.settled(id), errors, pauses };
}

describe('what the service has done is done', () => {
  test('and its secret is kept, where the database fails for a moment', async () => {
    const keeper = createShownOnce(bench.database.db, createVault([new Uint8Array(32)]), () => bench.nowMs);
    let failures = 1;
    const secrets: RunnerParts['secrets'] = {
      ...keeper,
      async keep(...given) {
        failures -= 1;
        if (failures >= 0) throw new Error('the database is away');
        return keeper.keep(...given);
      },
    };
    const { run: ended, errors, pauses } = await run(renewed, { secrets });
    expect(ended.status).toBe('done');
    const kept = ended.result?.kind === 'outcome' ? ended.result.outcome.kept : undefined;
    expect((await keeper.take(kept?.id ?? '', asker))?.secrets).toEqual([
      { label: 'Password', value: 'new' },
    ]);
    expect(errors).toHaveLength(1);
    expect(pauses).toEqual([100]);
  });

  test('also where its secret cannot be kept, and that is said', async () => {
    const keeper = createShownOnce(bench.database.db, createVault([new Uint8Array(32)]), () => bench.nowMs);
    const keep = () => Promise.reject(new Error('the database is away'));
    const { run: ended, pauses } = await run(renewed, { secrets: { ...keeper, keep } });
    expect(pauses).toEqual([100, 1_000, 5_000]);
    expect(ended).toMatchObject({ status: 'done', result: { outcome: { title: 'Renewed' } } });
    expect(JSON.stringify(ended.result)).toContain('could not be kept');
  });

  test('also where it cannot be followed', async () => {
    const followed = {
      ...createFollowingStore(bench.database.db),
      add: () => Promise.reject(new Error('the database is away')),
    };
    const { run: ended, errors } = await run(renewed, { followed });
    expect(ended.status).toBe('done');
    expect(errors).not.toEqual([]);
  });

  test('also where nobody understands its answer', async () => {
    const broken = renew(() => {
      throw new Error('not understood');
    });
    const { run: ended } = await run(broken, {});
    expect(ended).toMatchObject({ status: 'done', result: { outcome: { title: 'Renew VPS-10001' } } });
  });
});
