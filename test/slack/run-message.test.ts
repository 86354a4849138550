import { describe, expect, test } from 'vitest';
import { allOperations } from '../../src/operations/all.ts';
import { createCatalogue } from '../../src/operations/catalogue.ts';
import type { Progress } from '../../src/operations/operation.ts';
import { pingsIn } from '../../src/sandbox/slack/world/pings.ts';
import { createRunMessages } from '../../src/slack/run-message.ts';
import { runOf } from '../operations/runs/run-of.ts';

const run = runOf({
  result: {
    kind: 'outcome',
    outcome: {
      title: 'VPS-10001 is rebooting',
      facts: [
        { label: 'State', value: { state: 'rebooting' } },
        { label: 'Task', value: '17' },
      ],
    },
  },
});

const catalogue = createCatalogue(allOperations({ vpsActions: ['reboot'] }).groups);
const { of } = createRunMessages(catalogue, {
  nameOf: async (_, id) => `${id.slice(2).toLowerCase()}<!here>`,
});

const messageOf = async (progress: Progress | null) => {
  const message = await of({ ...run, progress });
  if (!message) throw new Error('a reboot has a message');
  return message;
};
const told = async (progress: Progress | null) => JSON.stringify((await messageOf(progress)).blocks);

describe('the message of a run', () => {
  test('tells what the call answered until something later is known', async () => {
    expect(await told(null)).toContain('VPS-10001 is rebooting');
    expect(await told(null)).toContain('🟡 rebooting');
  });

  test('is done only when the end of what is followed has been seen', async () => {
    const standing = async (progress: Progress | null) => {
      const { text, blocks } = await messageOf(progress);
      const words = text.replace('Reboot VPS-10001: ', '');
      expect(JSON.stringify(blocks)).toContain(`${words} · asked by`);
      return words;
    };
    expect(await standing(null)).toBe('🔄 Under way');
    expect(await standing({ isOver: false, words: 'VPS-10001 is rebooting.' })).toBe('🔄 Under way');
    expect(await standing({ isOver: true, isUnseen: true, words: 'It is no longer followed here.' })).toBe(
      '🔄 Under way when last seen',
    );
    expect(await standing({ isOver: true, words: 'VPS-10001 is running now.' })).toBe('✅ Done');
  });

  test('names its people, and calls nobody, whatever their names are', async () => {
    const approval = { places: [], approverId: 'U0BOB' };
    const message = await of({ ...run, approval });
    expect(JSON.stringify(message)).toContain('asked by @alice&lt;!here&gt; · approved by @bob&lt;!here&gt;');
    expect(pingsIn(message ?? {})).toEqual([]);
  });

  test('tells no state that has moved on since, and keeps the rest of the answer', async () => {
    const over = await told({ isOver: true, words: 'VPS-10001 is running now.' });
    expect(over).toContain('VPS-10001 is running now.');
    expect(over).toContain('Task: ');
    expect(over).not.toContain('rebooting');
  });
});
