import { expect, onTestFinished, test } from 'vitest';
import { createSlackSandbox } from '../../src/slack-sandbox.ts';
import { collectEvents } from '../collect-events.ts';
import { fullManifest, startMs, startSandbox } from '../harness.ts';

const guide = [
  { id: 'one', title: 'First', text: 'Do it.', try: { kind: 'command' as const, text: '/vps list' } },
  { id: 'two', title: 'Second', text: 'Look.', try: { kind: 'link' as const, url: 'http://127.0.0.1:4010' } },
];

async function startGuided() {
  const readNext = { text: 'Read this.', links: [{ title: 'Here', url: 'http://127.0.0.1:4010/' }] };
  const sandbox = await createSlackSandbox({
    port: 0,
    manifest: fullManifest,
    guide,
    readNext,
    now: () => startMs,
  });
  onTestFinished(() => sandbox.close());
  const ask = async (path: string, method = 'GET') =>
    (
      await fetch(`${sandbox.url}/sandbox/${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
      })
    ).json();
  return { ...sandbox, ask, readNext };
}

test('a guide starts with no step done', async () => {
  const { ask, readNext } = await startGuided();
  const steps = guide.map((step) => ({ ...step, done_at: null }));
  expect(await ask('guide')).toEqual({ steps, read_next: readNext });
});

test('a step is ticked once, and every page is notified', async () => {
  const sandbox = await startGuided();
  const heard = await collectEvents(`${sandbox.url}/sandbox/events?team=T0GLOBEX`);
  await expect.poll(() => heard).toEqual([{ kind: 'alive' }]);
  sandbox.guide.completeStep('two');
  sandbox.guide.completeStep('two');
  sandbox.guide.completeStep('three');
  expect(await sandbox.ask('guide')).toMatchObject({ steps: [{ done_at: null }, { done_at: startMs }] });
  await expect.poll(() => heard.slice(1)).toEqual([{ kind: 'guide' }]);
});

test('completed steps stay completed after a reset, until the guide is restarted', async () => {
  const sandbox = await startGuided();
  sandbox.guide.completeStep('one');
  await sandbox.ask('reset', 'POST');
  expect(await sandbox.ask('guide')).toMatchObject({ steps: [{ done_at: startMs }, {}] });
  expect(await sandbox.ask('guide/restart', 'POST')).toMatchObject({ steps: [{ done_at: null }, {}] });
});

test('a sandbox without a guide has no steps', async () => {
  expect(await (await startSandbox()).get('guide')).toEqual({ steps: [], read_next: null });
});
