import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createManualClock, type ManualClock } from '../../jobs/clocks/manual-clock.ts';
import { blocksText, type RunningStack, startStack } from '../../stack.ts';
import { bob, readTable, runCommand } from '../command-driver.ts';
import { fillIn, listFields, toTextValue } from '../modals/form/form-driver.ts';
import { advanceMinutes } from './watch-driver.ts';

let running: RunningStack;
let clock: ManualClock;

beforeEach(async () => {
  clock = createManualClock(Date.now());
  running = await startStack({ clock, hosting: { windowMs: 250 } });
  for (let vps = 10_001; vps <= 10_012; vps += 1) await running.service.load(`VPS-${vps}`, { cpu: 0.2 });
});
afterEach(() => running.close());

const add = (words: string, answer = /^Watch .+ was added$/) =>
  runCommand(running, `watch add ${words}`, answer);
const pass = (minutes: number) => advanceMinutes(running, clock, minutes);
const waitForAlert = (matching: RegExp, channel = 'C0OPS') =>
  running.slack.message(matching, channel, 'U0CAROL');

describe('an existing watch', () => {
  test('is listed, shown, paused, resumed, edited and deleted, with a way to undo', async () => {
    await runCommand(running, 'watch list', /There are no watches/);
    await add('VPS-1000* cpu > 90% for 1m --name CPU');
    await runCommand(running, 'watch pause CPU', /permission/, bob);
    const list = await runCommand(running, 'watch list', /One watch/, bob);
    expect(readTable(list)[0]).toEqual(
      expect.arrayContaining(['CPU', 'VPS-1000*', 'CPU over 90% for 1 min']),
    );
    await running.service.load('VPS-10004', { cpu: 0.93 });
    await pass(3);
    await waitForAlert(/^⚠️ worker-01 \(VPS-10004\)/);
    expect(blocksText(await runCommand(running, 'watch show CPU', /^CPU$/, bob))).toContain(
      '⚠️ worker-01 (VPS-10004)',
    );
    await runCommand(running, 'watch pause CPU', /"CPU" is paused/);
    await waitForAlert(/^CPU: the watch was paused$/);
    await runCommand(running, 'watch resume CPU', /"CPU" is active again/);
    const edited = await runCommand(running, 'watch edit CPU --threshold 95% --for 2m', /"CPU" was changed/);
    expect(blocksText(edited)).toMatch(/CPU over 95% for 2 min.*Was: .*CPU over 90% for 1 min/);
    await runCommand(running, 'watch edit CPU --what traffic', /amount per second/);
    const deleted = await runCommand(running, 'watch delete CPU', /"CPU" was deleted/);
    await running.slack.click(deleted, 'Watch Again');
    const form = await running.slack.modal();
    expect(JSON.stringify(form)).toContain('95%');
    await running.slack.submit(form, {});
  });

  test('can be added with its form, with errors beside the fields', async () => {
    await running.slack.slash('watch add');
    const form = await running.slack.modal();
    const others = ['lasts', 'channel', 'name', 'notify', 'escalate', 'escalateTo', 'runbook'];
    expect(listFields(form)).toEqual(['vps', 'measure', 'is', 'figure', ...others]);
    const refused = await running.slack.submit(form, {
      figure: toTextValue('5 MB/s'),
      lasts: toTextValue('10m'),
    });
    expect(refused.errors).toEqual({ figure: 'For CPU, give a percentage, such as 90%' });
    const written = await fillIn(running, 'figure', '95%');
    expect(blocksText(written)).toContain('Condition: CPU over 95% for 10 min');
    expect(blocksText(written)).toContain('VPS: all (12 now)');
    const ofState = await fillIn(running, 'measure', 'state');
    expect(listFields(ofState)).toEqual(['vps', 'measure', 'match', 'state', ...others]);
    await running.slack.submit(ofState, {
      measure: chosen('state'),
      match: chosen('is not'),
      state: toTextValue('running'),
      lasts: toTextValue('10m'),
    });
    await running.slack.message(
      /^Watch "State of all VPS" alerts in this channel: state is not running for 10 min/,
    );
    await running.slack.message(/^Watch "State of all VPS" was added$/);
  });
});

const chosen = (value: string) => ({
  value: { type: 'static_select', selected_option: { text: { type: 'plain_text', text: value }, value } },
});
