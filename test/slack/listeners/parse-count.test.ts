import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { inputSchema } from '../../../src/operations/define/arguments/argument.ts';
import { reboot } from '../../../src/operations/vps/reboot.ts';
import { useRunnerFixture } from '../../runs/runner-fixture.ts';
import { type RunningStack, startStack } from '../../stack.ts';
import { waitForEnd } from '../wait-for-end.ts';

const fixture = useRunnerFixture();

/** Counts parses of a reboot's input: as a whole, and of its VPS alone. */
function countParses(): { whole: () => number; single: () => number } {
  const whole = vi.spyOn(inputSchema(reboot.arguments), 'safeParse');
  const { vps } = reboot.arguments;
  if (!vps) throw new Error('a reboot names a VPS');
  const single = vi.spyOn(vps.schema, 'safeParse');
  return { whole: () => whole.mock.calls.length, single: () => single.mock.calls.length };
}

let parses: ReturnType<typeof countParses>;
beforeEach(() => {
  parses = countParses();
});
afterEach(() => vi.restoreAllMocks());

test('a typed command is parsed once, and its stored input once per click', async () => {
  const running: RunningStack = await startStack({ followsSlackClock: true });
  try {
    const { slack } = running;
    await slack.slash('reboot web-01');
    const card = await slack.message('Reboot web-01 (VPS-10001)?');
    expect(parses.whole()).toBe(1);
    await slack.click(card, 'confirm');
    await waitForEnd(running, 'Reboot web-01 (VPS-10001)');
    expect(parses.whole()).toBe(2);
    expect(parses.single()).toBe(0);
  } finally {
    await running.close();
  }
});

test.each(['queued', 'sent'] as const)(
  'the stored input of a %s run is parsed once after a restart',
  async (status) => {
    await fixture.insertRun(status);
    const runner = fixture.createRunner();
    await runner.start();
    await fixture.waitUntilSettled('left');
    expect(parses.whole()).toBe(1);
    expect(parses.single()).toBe(0);
  },
);
