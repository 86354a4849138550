import { describe, expect, test } from 'vitest';
import type { CheckAccess } from '../../../src/operations/define/access/access.ts';
import { hostingOperations } from '../../../src/operations/hosting-operations.ts';
import { runRead } from '../operation-harness.ts';

const help = (topic = '', checkAccess: CheckAccess = () => undefined) =>
  runRead('help', { topic }, new Map(), { loadAccess: async () => checkAccess });

const refused = { message: "You don't have it.", advice: 'Ask.' };
const viewOnly: CheckAccess = ({ right }) => (right === 'view' ? undefined : refused);
describe('help', () => {
  test('names every operation under the heading of its group, with a button for each group', async () => {
    const { facts = [], next = [] } = await help();
    const { groups } = hostingOperations();
    expect(facts.map(({ label }) => label)).toEqual(groups.map(({ heading }) => heading));
    for (const [index, { operations }] of groups.entries()) {
      const value = String(facts[index]?.value);
      for (const { name } of operations) for (const word of name.split(' ')) expect(value).toContain(word);
    }
    for (const { input } of next) {
      expect((await help(String(input.topic))).listings?.[0]?.items.length).toBeGreaterThan(0);
    }
  });

  test.each([
    ['snapshot', ['snapshot list', 'snapshot create', 'snapshot restore', 'snapshot delete']],
    ['monitoring', ['live', 'graph']],
  ])('explains the family %s', async (topic, names) => {
    const typed = (await help(topic)).listings?.flatMap(({ items }) => items.map((item) => item.typed)) ?? [];
    expect(typed).toHaveLength(names.length);
    for (const [index, name] of names.entries()) expect(typed[index]?.startsWith(name)).toBe(true);
  });

  test('puts the form first for an operation with many flags, behind a button for those allowed to use it', async () => {
    const { listings, next } = await help('lb create');
    expect(listings?.[0]?.items[0]).toEqual({ typed: 'lb create', text: 'opens a form' });
    expect(next).toEqual([{ label: 'Open Form', operation: 'lb create', input: {}, opensForm: true }]);
    expect((await help('lb create', viewOnly)).next).toBeUndefined();
    const family = await help('lb');
    expect(family.listings?.[0]?.items[0]).toEqual({
      typed: 'lb create',
      text: 'Create a load balancer for a domain: opens a form',
    });
    expect(family.next?.map(({ label }) => label)).toEqual(['Create a Load Balancer…']);
  });

  test('suggests the closest name for an unknown one', async () => {
    await expect(help('rebot')).rejects.toThrow('Did you mean "reboot"?');
  });
});
