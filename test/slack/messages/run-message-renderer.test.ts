import { findMentions } from 'slack-sandbox';
import { describe, expect, test } from 'vitest';
import { createCatalogue } from '../../../src/operations/define/catalogue.ts';
import type { Progress } from '../../../src/operations/define/target-state.ts';
import { hostingOperations } from '../../../src/operations/hosting-operations.ts';
import { createRunMessageRenderer } from '../../../src/slack/messages/run-message-renderer.ts';
import { createRun } from '../../runs/create-run.ts';
import { noSecrets } from '../../runs/no-secrets.ts';

const run = createRun({
  result: { kind: 'outcome', outcome: { title: 'VPS-10001 is rebooting' } },
});

const catalogue = createCatalogue(hostingOperations({ vpsActions: ['reboot'] }).groups);
const { renderRun } = createRunMessageRenderer(
  catalogue,
  {
    findDisplayName: async (_, id) => `${id.slice(2).toLowerCase()}<!here>`,
  },
  noSecrets,
  { find: async () => undefined },
);

const messageOf = async (progress: Progress | null) => {
  const message = await renderRun(createRun({ ...run, progress }));
  if (!message) throw new Error('a reboot has a message');
  return message;
};

describe("a run's message", () => {
  test('says done only once the end of the progress was seen', async () => {
    const statusTextOf = async (progress: Progress | null) => {
      const { text, blocks } = await messageOf(progress);
      const words = text.replace('Reboot VPS-10001: ', '');
      // An end has its time between the two.
      expect(JSON.stringify(blocks)).toMatch(new RegExp(`${words}(, at <!date[^>]*>)? · requested by`));
      return words;
    };
    expect(await statusTextOf(null)).toBe('🔄 In progress');
    expect(await statusTextOf({ isFinished: false, text: 'VPS-10001 is rebooting.' })).toBe('🔄 In progress');
    expect(
      await statusTextOf({
        isFinished: true,
        isEndUnknown: true,
        text: 'Rackhand no longer checks the progress.',
      }),
    ).toBe('🔄 In progress when last checked');
    expect(await statusTextOf({ isFinished: true, text: 'VPS-10001 is running now.' })).toBe('✅ Done');
  });

  test("shows people's names and mentions nobody, whatever the names contain", async () => {
    const approval = { askId: 'ask-1', approverId: 'U0BOB' };
    const message = await renderRun({ ...run, approval });
    expect(JSON.stringify(message)).toContain(
      'requested by @alice&lt;!here&gt; · approved by @bob&lt;!here&gt;',
    );
    expect(findMentions(message ?? {})).toEqual([]);
  });
});
