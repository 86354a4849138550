import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadFullCatalogue } from '../../../scripts/load-full-catalogue.ts';
import { parseInput } from '../../../src/operations/define/arguments/input.ts';
import { requiredRight } from '../../../src/operations/define/inspect-operation.ts';
import type { Catalogue } from '../../../src/operations/define/operation.ts';
import { actionIds } from '../../../src/slack/blocks/elements/action-ids.ts';
import { parseChooseBlockId, parseStepValue } from '../../../src/slack/blocks/elements/buttons.ts';
import { blocksText, grantAll, type RunningStack, type SlackMessage, startStack } from '../../stack.ts';
import { runCommand } from '../command-driver.ts';
import { commandGroups } from './every-command.ts';
import { readReply } from './read-reply.ts';

let running: RunningStack;
let catalogue: Catalogue;
beforeAll(async () => {
  running = await startStack({ grants: grantAll('view', 'U0BOB'), hosting: { windowMs: 200 } });
  catalogue = await loadFullCatalogue();
  for (const [command, reply] of plans) await runCommand(running, command, reply);
});
afterAll(() => running.close());

/** Somebody else's, for the commands that show or list them. */
const plans = [
  ['report add daily 09:00 --name Nothing', /is scheduled/],
  ['watch add VPS-100* cpu > 99% for 20m --name Nothing-watch', /was added/],
  ['maintenance VPS-10002 "now for 2h" --name Nothing-maintenance', /Nothing/],
  ['mute VPS-10003 --for 4h', /muted/i],
  ['schedule snapshot VPS-10002 daily 02:00 --name Nothing-schedule', /is scheduled/],
] as const;

const commands = commandGroups
  .filter(({ right }) => right === null || right === 'view')
  .flatMap((group) => group.commands)
  // Its reply is a file in direct messages, or a form.
  .filter((command) => !/^(history --|settings)/.test(command));

/** Describes the buttons and selects of a message that somebody who may only view can't use. */
function listRefused({ blocks }: SlackMessage): readonly string[] {
  const refusesStep = (name: string, input: Parameters<typeof parseInput>[1]): boolean => {
    const operation = catalogue.find(name);
    if (!operation) return true;
    // Somebody else's schedule takes the right to operate its VPS.
    if (/^schedule (pause|resume|skip|delete)$/.test(name)) return true;
    return ![null, 'view'].includes(requiredRight(operation, parseInput(operation, input).validFields));
  };
  return blocks.flatMap(({ block_id = '', elements = [] }) => {
    const choice = parseChooseBlockId(block_id);
    const refusedChoice = choice && refusesStep(choice.operation, choice.input) ? [choice.operation] : [];
    const refusedButtons = elements.flatMap(({ action_id = '', value = '' }) => {
      if (action_id === actionIds.secret) return ['Show Once'];
      if (!actionIds.step.test(action_id)) return [];
      const { operation, input } = parseStepValue(value);
      return refusesStep(operation, input) ? [operation] : [];
    });
    return [...refusedChoice, ...refusedButtons];
  });
}

test.each(commands)(
  '/vps %s gives somebody who may only view no button that would be refused',
  async (command) => {
    await readReply(running, command, { user: 'U0BOB' });
    const messages = [
      ...(await running.slack.newMessages('C0OPS', 'U0BOB')),
      ...(await running.slack.newMessages('U0BOB', 'U0BOB')),
    ];
    expect(messages.flatMap(listRefused)).toEqual([]);
  },
);

test('a public button that others press without the right offers Request Access, and is in the activity log', async () => {
  const shown = await runCommand(running, 'backup show VPS-10001 --public', /Backup space/);
  await running.slack.click(shown, 'Disable', { user: 'U0BOB' });
  const refusal = await running.slack.message(/You don't have permission/, 'C0OPS', 'U0BOB');
  expect(blocksText(refusal)).toContain('Request Access');
  const history = blocksText(await runCommand(running, 'history @bob --failed', /Activity/));
  expect(history).toContain('Disable backup space for web-01 (VPS-10001)');
});

test('the Home of somebody who may only view has no menu entry that would be refused', async () => {
  await running.slack.act('home', { user: 'U0BOB' });
  const home = await running.slack.untilSeen(async () => {
    const shown = await running.slack.home('U0BOB');
    expect(shown).toContain('Live Data');
    return shown;
  });
  expect(home).not.toContain('Take Snapshot');
  expect(home).not.toContain('Acknowledge');
});
