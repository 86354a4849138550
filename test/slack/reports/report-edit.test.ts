import { describe, expect, test } from 'vitest';
import { eventually } from '../../eventually.ts';
import { createManualClock } from '../../jobs/clocks/manual-clock.ts';
import { blocksText } from '../../stack.ts';
import { useStack } from '../../use-stack.ts';
import { readButtonLabels, runCommand } from '../command-driver.ts';
import { blockOf, listFields, toTextValue } from '../modals/form/form-driver.ts';

/** Saturday, 21 November 2026, 06:30 in Berlin. */
const nowMs = Date.UTC(2026, 10, 21, 5, 30);

const running = useStack({ clock: createManualClock(nowMs) });

const plan = (words: string) => runCommand(running, `report add ${words}`, /^Report .+ is scheduled$/);

describe('report show', () => {
  test('shows everything about a report, with its buttons', async () => {
    await plan(
      'every mon thu 09:00 --vps VPS-1000* --name Fleet --quiet "sat sun" --post findings --thresholds "cpu 80% 2h"',
    );
    const shown = await runCommand(running, 'report show Fleet', /^Fleet$/);
    const text = blocksText(shown);
    expect(text).toContain('Every Monday and Thursday at 09:00, Europe/Berlin; not on Saturday and Sunday');
    expect(text).toMatch(/Monday 23 November 2026, 09:00.*Thursday 26.*Monday 30/);
    expect(text).toContain('VPS-1000* (9 now)');
    expect(text).toContain("only if there are findings, or something couldn't be read");
    expect(text).toContain('CPU from 80% for 2 h; memory from 95% for 1 h');
    expect(text).toContain('"user_id":"U0ALICE"');
    expect(text).toContain('not yet');
    expect(readButtonLabels(shown).slice(0, 4)).toEqual(['Run Now', 'Edit', 'Pause', 'Skip Next Time']);

    await running.slack.click(shown, 'Pause');
    await running.slack.message(/"Fleet" is paused/);
    const paused = await runCommand(running, 'report show fleet', /Fleet \(paused\)/);
    expect(blocksText(paused)).toMatch(/Paused by.*U0ALICE/);
    expect(blocksText(paused)).not.toContain('Next');
    expect(readButtonLabels(paused)).toContain('Resume');
  });
});

describe('report edit', () => {
  test('opens the form with the current values, and keeps changes to them', async () => {
    await plan('monthly 31 08:15 --vps VPS-1000* --name Fleet --quiet "sat sun" --post change');
    await running.slack.slash('report edit Fleet');
    const form = await running.slack.modal();
    expect(listFields(form).slice(0, 5)).toEqual(['name', 'when', 'zone', 'channel', 'what']);
    const text = blocksText(form);
    for (const value of ['monthly 31 08:15', 'VPS-1000*', 'sat sun', 'Europe/Berlin', 'Fleet'])
      expect(text).toContain(`"initial_value":"${value}"`);
    expect(text).toContain('On the last day of every month at 08:15');

    const taken = await running.slack.submit(form, {
      [blockOf(form, 'when')]: toTextValue('monthly 31 25:00'),
    });
    expect(taken.errors).toEqual({ [blockOf(form, 'when')]: expect.stringContaining('from 00:00 to 23:59') });
    await running.slack.submit(form, {
      [blockOf(form, 'when')]: toTextValue('monthly 31 07:00'),
      [blockOf(form, 'quiet')]: toTextValue(''),
    });
    const told = blocksText(await running.slack.message(/"Fleet" was changed/));
    expect(told).toContain('On the last day of every month at 07:00, Europe/Berlin');
    expect(told).not.toContain('Posted');
  });

  test('submitted late, overwrites nothing that another person has changed, and loses nothing', async () => {
    await plan('daily 09:00 --name Fleet');
    await running.slack.slash('report edit Fleet');
    const form = await running.slack.modal();
    await runCommand(running, 'report edit Fleet --when "every fri 10:00"', /"Fleet" was changed/);
    const late = {
      [blockOf(form, 'quiet')]: toTextValue('sat sun'),
      [blockOf(form, 'when')]: toTextValue('every fri 11:00'),
    };
    expect(await running.slack.submit(form, late)).toMatchObject({ response_action: 'update' });
    expect(blocksText(await runCommand(running, 'report show Fleet', /^Fleet$/))).toContain(
      'Every Friday at 10:00',
    );

    const again = await running.slack.modal();
    const text = blocksText(again);
    expect(text).toContain('Nothing was saved. Someone changed this while the form was open');
    expect(text).toContain('the form still shows your values: When (“every fri 10:00” is stored)');
    for (const value of ['sat sun', 'every fri 11:00']) expect(text).toContain(`"initial_value":"${value}"`);
    expect(text).toContain('Every Friday at 11:00');
    await running.slack.submit(again, {});
    await eventually(async () => {
      const shown = blocksText(await runCommand(running, 'report show Fleet', /^Fleet$/));
      expect(shown).toContain('Every Friday at 11:00, Europe/Berlin; not on Saturday and Sunday');
    });
  });
});

describe('report delete', () => {
  test('can be undone: a form opens with all values of the report', async () => {
    await plan(
      'every mon thu 09:00 --about VPS-10004 --name Deep --quiet "22:00-07:00 mon-fri, sat" --thresholds "cpu 80% 2h"',
    );
    const before = blocksText(await runCommand(running, 'report show Deep', /^Deep$/));
    const deleted = await runCommand(running, 'report delete Deep', /"Deep" was deleted/);
    await running.slack.click(deleted, 'Schedule Again');
    const form = await running.slack.modal();
    expect(blocksText(form)).toContain('"initial_value":"Deep"');
    await running.slack.submit(form, { name: toTextValue('Deeper') });
    await running.slack.message(/^Report "Deeper" is scheduled$/);
    const after = blocksText(await runCommand(running, 'report show Deeper', /^Deeper$/));
    const factsOf = (text: string) => /Schedule.*Last report/.exec(text)?.[0];
    expect(factsOf(after)).toBe(factsOf(before));
    expect(factsOf(after)).toContain('worker-01 (VPS-10004), in depth');
  });
});
