import { describe, expect, test } from 'vitest';
import { allOperations } from '../../../src/operations/all.ts';
import { answerOf } from '../answering.ts';

const help = (topic = '') => answerOf('help', { topic }, new Map());

/** Characters of code that a line of 360 px holds, at 8 px each. */
const phoneChars = 45;

describe('help', () => {
  test('names every operation under the heading of its group, and leads on to each group', async () => {
    const { facts = [], next = [] } = await help();
    const { groups } = allOperations();
    expect(facts.map(({ label }) => label)).toEqual(groups.map(({ heading }) => heading));
    for (const [index, { operations }] of groups.entries()) {
      const value = String(facts[index]?.value);
      for (const { name } of operations) for (const word of name.split(' ')) expect(value).toContain(word);
    }
    for (const { input } of next) {
      expect((await help(String(input.topic))).listings?.[0]?.items.length).toBeGreaterThan(0);
    }
  });

  test('can be read on a phone', async () => {
    const { facts = [] } = await help();
    for (const { label, value } of facts) {
      expect(`${label}: ${value}`.length).toBeLessThanOrEqual(2 * phoneChars);
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

  test('offers the nearest name for one that there is not', async () => {
    await expect(help('rebot')).rejects.toThrow('The nearest is "reboot".');
  });
});
