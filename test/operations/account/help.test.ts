import { describe, expect, test } from 'vitest';
import { allOperations } from '../../../src/operations/all.ts';
import { answerOf } from '../answering.ts';

const help = (topic = '') => answerOf('help', { topic }, new Map());

/** Characters of code that a line of 360 px holds, at 8 px each. */
const phoneChars = 45;

describe('help', () => {
  test('lists every operation under the heading of its group, once', async () => {
    const { listings = [] } = await help();
    const { groups } = allOperations();
    expect(listings.map(({ heading }) => heading)).toEqual(groups.map(({ heading }) => heading));
    const typed = listings.flatMap(({ items }) => items.map((item) => item.typed));
    const names = groups.flatMap(({ operations }) => operations.map(({ name }) => name));
    expect(typed).toHaveLength(names.length);
    for (const [index, name] of names.entries()) expect(typed[index]?.startsWith(name)).toBe(true);
  });

  test('can be read on a phone', async () => {
    const items = (await help()).listings?.flatMap((listing) => listing.items) ?? [];
    for (const { typed } of items) expect(`/vps ${typed}`.length).toBeLessThanOrEqual(phoneChars);
  });

  test('leaves out what the name says already', async () => {
    const items = (await help()).listings?.flatMap((listing) => listing.items) ?? [];
    const textOf = (name: string) => items.find(({ typed }) => typed.startsWith(name))?.text;
    expect(textOf('reboot VPS')).toBe('');
    expect(textOf('reinstall')).toContain('everything on it is lost');
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
