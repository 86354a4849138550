import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createManualClock, type ManualClock } from '../../jobs/clocks/manual-clock.ts';
import { blocksText, type RunningStack, type SlackMessage, startStack } from '../../stack.ts';
import { readButtonLabels, runCommand } from '../command-driver.ts';
import { fillIn, listFields, toTextValue } from '../modals/form/form-driver.ts';
import { visibleText } from '../operations/visible-text.ts';
import { advanceMinutes, listAlertMessages } from './watch-driver.ts';

let running: RunningStack;
let clock: ManualClock;

beforeEach(async () => {
  clock = createManualClock(Date.now());
  running = await startStack({ clock, hosting: { windowMs: 250, vpsCount: 7 } });
  for (let vps = 10_001; vps <= 10_007; vps += 1) await load(`VPS-${vps}`, 0.2);
});
afterEach(() => running.close());

const add = (words: string, answer = /^Watch .+ was added$/) =>
  runCommand(running, `watch add ${words}`, answer);
const pass = (minutes: number) => advanceMinutes(running, clock, minutes);
const waitForAlert = (matching: RegExp, channel = 'C0OPS') =>
  running.slack.message(matching, channel, 'U0CAROL');
const load = (vps: string, cpu: number) => running.service.load(vps, { cpu });

const imagesOf = ({ blocks }: SlackMessage) => blocks.filter(({ type }) => type === 'image');

describe('a watch', () => {
  test('in a channel with a limit, alerts with only the buttons that the limit allows', async () => {
    await add('VPS-10004 cpu > 90% for 1m');
    await runCommand(running, 'access channel #ops view', /^The channel is limited to "view"/);
    await load('VPS-10004', 0.95);
    await pass(3);
    const labels = readButtonLabels(await waitForAlert(/^⚠️ worker-01/));
    expect(labels).toEqual(expect.arrayContaining(['Graph']));
    expect(labels).not.toContain('Acknowledge');
  });

  test('alerts once when the condition is met, and closes the message when it has recovered', async () => {
    const set = await add('VPS-1000* cpu > 90% for 3m');
    expect(visibleText(set.blocks)).toMatch(/Now: .+ \(2 of 7 VPS\)\nAlerts within: 4 min/);
    await waitForAlert(/Watch "CPU of VPS-1000\S+" will post alerts here/);

    await load('VPS-10004', 0.93);
    await pass(3);
    expect(await listAlertMessages(running)).toEqual([]);
    await pass(2);
    const message = await waitForAlert(/^⚠️ worker-01 \(VPS-10004\): CPU 93% for \d min \(over 90%\)$/);
    expect(message.pings).toEqual([]);
    expect(readButtonLabels(message)).toEqual(['Acknowledge', 'Graph', 'Assign', 'Mute for a Day', 'Watch']);
    const row = message.blocks.find(({ type }) => type === 'actions');
    expect(row?.elements?.map(({ type }) => type)).toEqual(['button', 'button', 'overflow']);

    // Between the threshold and the recovery threshold an alert continues.
    await load('VPS-10004', 0.88);
    await pass(5);
    expect((await listAlertMessages(running)).map(({ text }) => text)).toEqual([expect.stringMatching(/^⚠️/)]);

    await load('VPS-10004', 0.97);
    await pass(2);
    await load('VPS-10004', 0.3);
    await pass(3);
    await waitForAlert(/^✅ worker-01 \(VPS-10004\): CPU over 90% ended after \d+ min, peak 97%$/);
    expect(await listAlertMessages(running)).toHaveLength(1);
  });

  test('adds the chart of its figure to the alert, once', async () => {
    await add('VPS-10002 cpu > 90% for 0m');
    await load('VPS-10002', 0.95);
    await pass(1);
    const [image] = await running.slack.untilSeen(async () => {
      const images = imagesOf(await waitForAlert(/^⚠️ web-02/));
      expect(images).toHaveLength(1);
      return images;
    });
    expect(image?.alt_text).toMatch(/^web-02: CPU, last hour\. CPU .*\b95%/);
    const alert = await running.slack.earlierMessage(/^⚠️ web-02/);
    await running.slack.click(alert, 'Acknowledge');
    await running.slack.message(/^You acknowledged/);
    await pass(12);
    const [later] = imagesOf(await running.slack.earlierMessage(/^⚠️ web-02/));
    expect(later?.slack_file).toEqual(image?.slack_file);
    const histories = (await running.service.calls()).filter(({ path }) => path.endsWith('/rrd'));
    expect(histories).toHaveLength(1);
  });

  test('is linked from a report while its alert is open', async () => {
    await add('VPS-10004 cpu > 90% for 0m --name Busy');
    await load('VPS-10004', 0.95);
    await pass(1);
    const { ts } = await waitForAlert(/^⚠️ worker-01/);
    const report = await runCommand(running, 'report run --public', /need/);
    expect(visibleText(report.blocks)).toContain('Open alert: Busy');
    expect(blocksText(report)).toContain(`/archives/C0OPS/p${ts.replace('.', '')}`);
  });

  test('links its alert to the change that has interrupted the VPS since', async () => {
    await add('VPS-10004 cpu > 90% for 0m');
    await load('VPS-10004', 0.95);
    await pass(1);
    const alert = await waitForAlert(/^⚠️ worker-01/);
    expect(visibleText(alert.blocks)).not.toContain('Last change');
    const reboot = 'Reboot worker-01 (VPS-10004)';
    await running.slack.slash('reboot worker-01');
    await running.slack.click(await running.slack.message(`${reboot}?`), 'confirm');
    const { ts } = await running.slack.message(`${reboot}: `, 'C0OPS', 'U0CAROL');
    await pass(2);
    await running.slack.untilSeen(async () => {
      const shown = await running.slack.earlierMessage(/^⚠️ worker-01/);
      expect(visibleText(shown.blocks)).toContain(`Last change: ${reboot}`);
      expect(blocksText(shown)).toContain(`/archives/C0OPS/p${ts.replace('.', '')}`);
    });
  });

  test('alerts without a chart if the history cannot be read', async () => {
    await running.service.fault('status:500', { path: '/v1/vps/VPS-10004/monitoring/rrd', times: 100 });
    await add('VPS-10004 cpu > 90% for 0m');
    await load('VPS-10004', 0.95);
    await pass(1);
    const alert = await waitForAlert(/^⚠️ worker-01/);
    await pass(12);
    expect(imagesOf(await running.slack.earlierMessage(/^⚠️ worker-01/))).toEqual([]);
    expect(readButtonLabels(alert)).toContain('Acknowledge');
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
    expect(blocksText(written)).toContain('VPS: all (7 now)');
    const ofState = await fillIn(running, 'measure', 'state');
    expect(listFields(ofState)).toEqual(['vps', 'measure', 'match', 'state', ...others]);
    await running.slack.submit(ofState, {
      measure: chosen('state'),
      match: chosen('is not'),
      state: toTextValue('running'),
      lasts: toTextValue('10m'),
    });
    await running.slack.message(
      /^Watch "State of all VPS" will post alerts here: state is not running for 10 min/,
    );
    await running.slack.message(/^Watch "State of all VPS" was added$/);
    const edited = await runCommand(running, 'watch edit "State of all VPS" --for 2m', /was changed/);
    expect(blocksText(edited)).toMatch(/for 2 min.*Was: .*for 10 min/);
  });
});

const chosen = (value: string) => ({
  value: { type: 'static_select', selected_option: { text: { type: 'plain_text', text: value }, value } },
});
