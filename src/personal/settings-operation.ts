import { keywordControl, keywordSchema } from '../operations/define/arguments/keyword.ts';
import { optionalArgument } from '../operations/define/arguments/optional-argument.ts';
import { defineLocal } from '../operations/define/define-operation.ts';
import type { Operation } from '../operations/define/operation.ts';
import type { Fact } from '../operations/define/outcome.ts';
import { applyChange, toEditArgument } from '../plans/plan-arguments.ts';
import { timeZoneSchema } from '../time/time-zone.ts';
import { defaultSettings, type PersonalSettings, runNoticeLabels } from './personal-settings.ts';
import type { SettingsStore } from './settings-store.ts';

const settingsArguments = {
  notify: toEditArgument(
    optionalArgument(
      {
        label: 'Message me about my changes',
        example: 'ended',
        flag: 'notify',
        valueName: 'when',
        hint: 'off, failed or ended. You get a direct message with a link. Default: off.',
        fieldHint:
          'You get a direct message with a link, except for changes already reported in your direct messages.',
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
        hint: 'For times you type and for graphs. Leave empty for the zone in your Slack profile.',
      },
      timeZoneSchema,
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
    summary: 'Change your personal settings',
    arguments: settingsArguments,
    button: 'Save',
    right: null,
    form: {
      showsStoredValues: true,
      async prefill({ actor }, given) {
        const { notify, zone = '' } = await store.find(actor);
        return { notify, zone, ...given };
      },
      shouldOpen: (input) => Object.values(input).every((change) => change === undefined),
    },
    async run({ actor }, changes) {
      const before = await store.find(actor);
      const zone = applyChange(changes.zone, before.zone);
      const settings: PersonalSettings = {
        notify: applyChange(changes.notify, before.notify) ?? defaultSettings.notify,
        zone,
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

function settingsFacts({ notify, zone }: PersonalSettings, usedZone: string): readonly Fact[] {
  return [
    { label: 'Message me about my changes', value: runNoticeLabels[notify] },
    { label: 'Time zone', value: zone ?? `${usedZone}, as in Slack` },
  ];
}
