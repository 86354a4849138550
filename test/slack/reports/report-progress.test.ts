import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../eventually.ts';
import { type RunningStack, startStack } from '../../stack.ts';

let running: RunningStack;

beforeEach(async () => {
  running = await startStack({ hosting: { windowMs: 250 } });
  // As slow as a much larger fleet.
  await running.service.fault('slow:1200', { path: '/v1/vps/*', method: 'GET', times: 100 });
});
afterEach(() => running.close());

test('a person who waits for a report sees its progress in their DMs, and then only the report', async () => {
  await running.slack.slash('report run');
  const progress = await running.slack.message(
    /Fleet report: \d+ of 12 VPS read, about \d+ (s|min) to go/,
    'U0ALICE',
    'U0ALICE',
  );
  const note = await running.slack.message(/I'll show the progress in your DMs/);
  expect(note.ephemeral).toBe(true);
  await running.slack.message(/of 12 needs? a look/, 'U0ALICE', 'U0ALICE');
  await eventually(async () => {
    const seen = await running.slack.messages('U0ALICE', 'U0ALICE');
    expect(seen.map(({ ts }) => ts)).not.toContain(progress.ts);
  });
});
