import { describe, expect, test } from 'vitest';
import { getReinstallOptions } from '../../../src/hosting/endpoints/vps.ts';
import {
  operatingSystemChoices,
  passwordDeliveryChoices,
} from '../../../src/operations/choices/sources/reinstall-options.ts';
import type { ChoiceSource } from '../../../src/operations/define/arguments/choice-source.ts';
import { createStubRead } from '../operation-harness.ts';

const load = (
  source: ChoiceSource,
  options: unknown,
  given: Record<string, unknown> = { vps: 'VPS-10001' },
) => source.load(createStubRead(new Map([[getReinstallOptions, options]])), given, 0);

describe('the systems to reinstall with', () => {
  test('are listed by name, with the value that the call needs', async () => {
    const { choices, isComplete } = await load(operatingSystemChoices, {
      os: [{ id: 'debian-13', name: 'Debian 13' }],
    });
    expect(choices).toEqual([{ value: 'debian-13', text: 'Debian 13', hint: 'debian-13' }]);
    expect(isComplete).toBe(true);
  });

  test('can be plain words', async () => {
    const { choices } = await load(operatingSystemChoices, { operating_systems: ['debian-13'] });
    expect(choices).toEqual([{ value: 'debian-13', text: 'debian-13' }]);
  });

  test('can be versions of families beside the fields of the body', async () => {
    const { choices } = await load(operatingSystemChoices, {
      operating_systems: [{ family: 'debian', versions: ['12', '13'] }],
      fields: ['os', 'delivery'],
    });
    expect(choices.map(({ value }) => value)).toEqual(['debian-12', 'debian-13']);
  });

  test('without any from the service are not called complete', async () => {
    expect(await load(operatingSystemChoices, {})).toEqual({ choices: [], isComplete: false });
  });

  test('of an unusually long list are not called complete', async () => {
    const os = Array.from({ length: 10_001 }, (_, index) => `debian-${index}`);
    expect((await load(operatingSystemChoices, { os })).isComplete).toBe(false);
  });

  test.each([{}, { vps: 'nonsense' }, { vps: '' }])('are none before a VPS is chosen: %j', async (given) => {
    const unread = new Error('nothing is to be read');
    expect(await load(operatingSystemChoices, unread, given)).toEqual({ choices: [], isComplete: false });
  });
});

describe('the delivery methods', () => {
  test('are those that the service lists', async () => {
    const { choices, isComplete } = await load(passwordDeliveryChoices, {
      body: { delivery: ['panel', 'api'] },
    });
    expect(choices.map(({ value }) => value)).toEqual(['panel', 'api']);
    expect(isComplete).toBe(true);
  });

  test('are those of the API document if the service lists none, and then there can be others', async () => {
    const { choices, isComplete } = await load(passwordDeliveryChoices, {});
    expect(choices.map(({ value }) => value)).toEqual(['api', 'email']);
    expect(isComplete).toBe(false);
  });
});
