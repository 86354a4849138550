import { z } from 'zod';
import { applyChange, toEditArgument } from '../monitoring/shared/monitor/edit-arguments.ts';
import { parseQuietHours } from '../monitoring/shared/time/quiet-hours.ts';
import { parseTimeZone, timeZoneSchema } from '../monitoring/shared/time/time-zone.ts';
import { keywordControl, keywordSchema } from '../operations/define/arguments/keyword.ts';
import { optionalArgument } from '../operations/define/arguments/optional-argument.ts';
import { defineLocal } from '../operations/define/define-operation.ts';
import type { Operation } from '../operations/define/operation.ts';
import type { Fact } from '../operations/define/outcome.ts';
import {
  defaultSettings,
  isAlwaysQuiet,
  listStyleLabels,
  type PersonalSettings,
  runNoticeLabels,
  trafficUnitLabels,
} from './personal-settings.ts';
import type { SettingsStore } from './settings-store.ts';

const quietHint =
  'Direct messages that Rackhand sends by itself wait until they end. Alerts and requests for approval do not.';

const maxQuietChars = 400;

const quietError = 'Give quiet hours such as 22:00-07:00, or 22:00-07:00 mon-fri, sat sun';

const quietSchema = z
  .string()
  .trim()
  .max(maxQuietChars, { error: `Use at most ${maxQuietChars} characters` })
  .superRefine((written, context) => {
    const windows = parseQuietHours(written);
    if (!windows) context.addIssue({ code: 'custom', message: quietError });
    else if (isAlwaysQuiet(windows))
      context.addIssue({ code: 'custom', message: "Leave some time of the week that isn't quiet" });
  });

const settingsArguments = {
  notify: toEditArgument(
    optionalArgument(
      {
        label: 'Message me about my changes',
        example: 'ended',
        flag: 'notify',
        valueName: 'when',
        hint: 'off, failed or ended. By direct message, with a link to the message of the change.',
        fieldHint: 'By direct message, with a link. Not if the change is reported in your direct messages.',
        control: keywordControl(runNoticeLabels),
      },
      keywordSchema(runNoticeLabels, 'Choose off, failed or ended'),
    ),
  ),
  zone: toEditArgument(
    optionalArgument(
      {
        label: 'Time zone',
        example: 'Europe/Berlin',
        flag: 'zone',
        hint: 'For the times that you type and for graphs. Empty: the zone of your Slack profile.',
      },
      timeZoneSchema,
    ),
  ),
  lists: toEditArgument(
    optionalArgument(
      {
        label: 'List of VPS',
        example: 'compact',
        flag: 'lists',
        valueName: 'style',
        hint: 'table or compact. compact has one line for each VPS, with its name and state.',
        fieldHint: 'One line has the name and the state of the VPS.',
        control: keywordControl(listStyleLabels),
      },
      keywordSchema(listStyleLabels, 'Choose table or compact'),
    ),
  ),
  traffic: toEditArgument(
    optionalArgument(
      {
        label: 'Network traffic',
        example: 'bits',
        flag: 'traffic',
        valueName: 'unit',
        hint: 'bytes or bits. bits shows Mbit/s instead of MiB/s, in live figures and graphs that you ask for.',
        fieldHint: 'In live figures and graphs that you ask for.',
        control: keywordControl(trafficUnitLabels),
      },
      keywordSchema(trafficUnitLabels, 'Choose bytes or bits'),
    ),
  ),
  quiet: toEditArgument(
    optionalArgument(
      {
        label: 'Quiet hours',
        example: '"22:00-07:00 mon-fri"',
        flag: 'quiet',
        hint: quietHint,
      },
      quietSchema,
    ),
  ),
};

export function createSettingsOperation(
  store: SettingsStore,
  findTimeZone: (actor: { readonly teamId: string; readonly userId: string }) => Promise<string>,
): Operation {
  return defineLocal({
    name: 'settings',
    heading: 'Your settings',
    summary: 'Change what Rackhand does for you alone',
    arguments: settingsArguments,
    button: 'Save',
    right: null,
    form: {
      showsStoredValues: true,
      async prefill({ actor }, given) {
        const { zone = '', quiet = '', ...words } = await store.find(actor);
        return { ...words, zone, quiet, ...given };
      },
      shouldOpen: (input) => Object.values(input).every((change) => change === undefined),
    },
    async run({ actor }, changes) {
      const before = await store.find(actor);
      const zone = applyChange(changes.zone, before.zone);
      const settings: PersonalSettings = {
        notify: applyChange(changes.notify, before.notify) ?? defaultSettings.notify,
        zone: zone === undefined ? undefined : parseTimeZone(zone),
        lists: applyChange(changes.lists, before.lists) ?? defaultSettings.lists,
        traffic: applyChange(changes.traffic, before.traffic) ?? defaultSettings.traffic,
        quiet: applyChange(changes.quiet, before.quiet),
      };
      await store.save(actor, settings);
      return {
        title: 'Your settings were saved',
        facts: settingsFacts(settings, await findTimeZone(actor)),
        next: [{ label: 'Change Settings', operation: 'settings', input: {}, opensForm: true }],
      };
    },
  });
}

function settingsFacts(
  { notify, zone, lists, traffic, quiet }: PersonalSettings,
  usedZone: string,
): readonly Fact[] {
  return [
    { label: 'Message me about my changes', value: runNoticeLabels[notify] },
    { label: 'Time zone', value: zone ?? `${usedZone}, as in Slack` },
    { label: 'List of VPS', value: listStyleLabels[lists] },
    { label: 'Network traffic', value: trafficUnitLabels[traffic] },
    { label: 'Quiet hours', value: quiet ?? 'none' },
  ];
}
