import { describe, expect, test } from 'vitest';
import type { ApprovalCard, ApprovalDesk, CardPlace } from '../../../src/operations/runs/approval.ts';
import type { Run } from '../../../src/operations/runs/run.ts';
import type { RunnerParts } from '../../../src/operations/runs/runner.ts';
import { asker, minuteMs, runIdOf, useRunners } from './runners.ts';

const bench = useRunners();
const bob = { teamId: 'T1', userId: 'U2' };
const target = { vps: 'VPS-10001' };
const place = { channel: 'C2', ts: '1.1' };

/** A desk that remembers what it has shown. */
function createDesk(post: (card: ApprovalCard) => Promise<readonly CardPlace[]> = async () => [place]) {
  const posted: ApprovalCard[] = [];
  const closed: Run[] = [];
  const desk: ApprovalDesk = {
    post: (card) => {
      posted.push(card);
      return post(card);
    },
    refresh: async () => undefined,
    close: async (run) => void closed.push(run),
  };
  return { posted, closed, parts: { approvalDesk: desk, approvalRules: async () => ({ channel: 'C2' }) } };
}

describe('a run that needs a second person', () => {
  test('asks them once, however often its asker clicks', async () => {
    const { posted, parts } = createDesk();
    const runner = bench.create(parts);
    const token = await bench.tokenOf(runner, 'reboot', target);
    const answers = await Promise.all([1, 2, 3].map(() => runner.confirm(token, asker)));
    expect(answers.map(({ kind }) => kind).sort()).toEqual(['duplicate', 'duplicate', 'started']);
    expect(posted).toHaveLength(1);
    expect(bench.announced).toMatchObject([{ status: 'waiting', approval: { places: [place] } }]);
  });

  test('hears one who is faster than the posting, and the cards are closed', async () => {
    const { closed, parts } = createDesk(async (card) => {
      expect(await runner.approve(card.token, bob)).toEqual({ kind: 'decided' });
      return [place];
    });
    const runner = bench.create(parts);
    const token = await bench.tokenOf(runner, 'reboot', target);
    expect(await runner.confirm(token, asker)).toEqual({ kind: 'started' });
    await runner.stop();
    expect(await bench.settled(runIdOf(token))).toMatchObject({ status: 'done' });
    expect(closed).toMatchObject([{ approval: { places: [place], approverId: 'U2' } }]);
    expect(bench.announced.map(({ status }) => status)).not.toContain('waiting');
    expect(await bench.changes()).toHaveLength(1);
  });

  test('ends where they cannot be asked, and its asker is told', async () => {
    const { parts } = createDesk(() => Promise.reject(new Error('Slack is away')));
    const log = { info: () => undefined, error: () => undefined };
    const runner = bench.create({ ...parts, log });
    const token = await bench.tokenOf(runner, 'reboot', target);
    expect(await runner.confirm(token, asker)).toMatchObject({ kind: 'problem' });
    expect(await bench.settled(runIdOf(token))).toMatchObject({ status: 'failed' });
    expect(await runner.confirm(token, asker)).toEqual({ kind: 'duplicate' });
  });

  test('goes on waiting where another click of its asker fails', async () => {
    const isAsked = Promise.withResolvers<void>();
    let rules = 0;
    const { parts } = createDesk();
    const approvalRules: RunnerParts['approvalRules'] = async () => {
      rules += 1;
      if (rules === 1) return { channel: 'C2' };
      await isAsked.promise;
      throw new Error('the database is away');
    };
    const log = { info: () => undefined, error: () => undefined };
    const runner = bench.create({ ...parts, approvalRules, log });
    const token = await bench.tokenOf(runner, 'reboot', target);
    const clicks = [1, 2].map(() => runner.confirm(token, asker));
    await Promise.race(clicks);
    isAsked.resolve();
    expect((await Promise.all(clicks)).map(({ kind }) => kind).sort()).toEqual(['duplicate', 'started']);
    expect(await bench.runs.find(runIdOf(token))).toMatchObject({ status: 'waiting' });
  });

  test('is not let go by another click, where the rule has been dropped since', async () => {
    const isAsked = Promise.withResolvers<void>();
    let rules = 0;
    const { parts } = createDesk();
    const approvalRules: RunnerParts['approvalRules'] = async () => {
      rules += 1;
      if (rules === 1) return { channel: 'C2' };
      await isAsked.promise;
      return undefined;
    };
    const runner = bench.create({ ...parts, approvalRules });
    const token = await bench.tokenOf(runner, 'reboot', target);
    const clicks = [1, 2].map(() => runner.confirm(token, asker));
    await Promise.race(clicks);
    isAsked.resolve();
    await Promise.all(clicks);
    await runner.stop();
    expect(await bench.runs.find(runIdOf(token))).toMatchObject({ status: 'waiting' });
    expect(await bench.changes()).toEqual([]);
  });

  test('is taken back by a Cancel that comes late, and that is announced', async () => {
    const { parts } = createDesk();
    const runner = bench.create(parts);
    const token = await bench.tokenOf(runner, 'reboot', target);
    await runner.confirm(token, asker);
    await runner.cancel(token, asker);
    expect(bench.announced.at(-1)).toMatchObject({
      status: 'refused',
      approval: { places: [place] },
      result: { problem: { by: 'U1' } },
    });
  });

  test('that was declined is told of by the next process, where the first could not', async () => {
    const { posted, parts } = createDesk();
    const runner = bench.create(parts);
    const token = await bench.tokenOf(runner, 'reboot', target);
    await runner.confirm(token, asker);
    expect(await runner.decline(posted[0]?.token ?? '', bob)).toEqual({ kind: 'decided' });
    bench.announced = [];
    const next = bench.create(parts);
    await next.start();
    expect(bench.announced).toMatchObject([{ id: runIdOf(token), status: 'refused' }]);
    await next.stop();
  });

  test('that lapsed is told of by the next process, where the first could not', async () => {
    const { parts } = createDesk();
    const runner = bench.create(parts);
    const token = await bench.tokenOf(runner, 'reboot', target);
    await runner.confirm(token, asker);
    bench.nowMs += 15 * minuteMs;
    await runner.start();
    await runner.stop();
    expect(bench.announced.at(-1)).toMatchObject({ status: 'expired' });
    bench.announced = [];
    const next = bench.create(parts);
    await next.start();
    expect(bench.announced).toMatchObject([{ id: runIdOf(token), status: 'expired' }]);
    await next.stop();
  });

  test('whose process ended while it asked them ends at once, and that is told', async () => {
    const { promise: never } = Promise.withResolvers<readonly CardPlace[]>();
    const { posted, parts } = createDesk(() => never);
    const runner = bench.create(parts);
    const token = await bench.tokenOf(runner, 'reboot', target);
    void runner.confirm(token, asker);
    await expect.poll(() => posted.length).toBe(1);
    const next = bench.create(parts);
    await next.start();
    expect(await bench.settled(runIdOf(token))).toMatchObject({ status: 'expired' });
    expect(bench.announced).toMatchObject([{ result: { problem: { code: 'stopped' } } }]);
    expect(await next.approve(posted[0]?.token ?? '', bob)).toMatchObject({ kind: 'problem' });
    await next.stop();
  });
});
