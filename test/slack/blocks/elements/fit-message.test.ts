import type { types } from '@slack/bolt';
import fc from 'fast-check';
import { validateMessage, validateView } from 'slack-sandbox';
import { describe, expect, test } from 'vitest';
import type { RedactedOutcome } from '../../../../src/operations/define/outcome.ts';
import {
  buttonRow,
  factLines,
  headingBlock,
  mrkdwn,
  noteBlocks,
} from '../../../../src/slack/blocks/elements/blocks.ts';
import { countChars, fitMessage, messageBudget } from '../../../../src/slack/blocks/elements/fit-message.ts';
import { renderOutcome } from '../../../../src/slack/blocks/outcome.ts';
import { renderProblem } from '../../../../src/slack/blocks/problem.ts';
import { messageView } from '../../../../src/slack/messages/view-reply.ts';
import { anyCharacter } from '../../../arbitraries/any-character.ts';

const facts = (count: number, chars: number) =>
  Array.from({ length: count }, (_, index) => ({ label: `Fact ${index}`, value: 'v'.repeat(chars) }));

const button: types.Button = {
  type: 'button',
  action_id: 'go',
  text: { type: 'plain_text', text: 'Go' },
  value: '1',
};

function wordsOf(blocks: readonly types.KnownBlock[]): string {
  return JSON.stringify(blocks);
}

describe("a message's blocks", () => {
  test('lose the last facts first, with a notice above the buttons', () => {
    const blocks = [
      headingBlock('Title'),
      ...factLines(facts(80, 200)),
      mrkdwn('What was changed'),
      ...noteBlocks(['Warning']),
      ...buttonRow([button]),
    ];
    const fitted = fitMessage(blocks);
    expect(countChars(fitted)).toBeLessThanOrEqual(messageBudget.chars + 100);
    expect(wordsOf(fitted)).toContain('Fact 0');
    expect(wordsOf(fitted)).not.toContain('Fact 79');
    expect(wordsOf(fitted)).toContain('What was changed');
    expect(wordsOf(fitted)).toContain('Warning');
    expect(fitted.map(({ type }) => type).slice(-2)).toEqual(['context', 'actions']);
    expect(JSON.stringify(fitted.at(-2))).toContain('Shortened:');
  });

  test("never exceed Slack's number of blocks, and keep the buttons", () => {
    const lines = Array.from({ length: 120 }, (_, index) => `Note ${index}`);
    const fitted = fitMessage([headingBlock('Title'), ...noteBlocks(lines), ...buttonRow([button])]);
    expect(fitted.length).toBeLessThan(50);
    expect(fitted.at(-1)?.type).toBe('actions');
    expect(wordsOf(fitted)).toContain('Note 0');
  });
});

/** Text as a service can send it. */
const foreign = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.constantFrom(
    '',
    ' ',
    '\u200B',
    '\u202E',
    '<!channel>',
    '<@U0BOB>',
    '*_~`',
    '&amp;',
    'x'.repeat(10_000),
    '<!here> '.repeat(1_250),
  ),
  fc.string({ unit: 'grapheme', maxLength: 50 }).map((text) => text.repeat(200)),
);

const value = fc.oneof(
  foreign,
  foreign.map((state) => ({ kind: 'state', state }) as const),
  foreign.map((code) => ({ kind: 'code', code }) as const),
  fc.double().map((timeMs) => ({ kind: 'time', timeMs }) as const),
  fc.double().map((bytes) => ({ kind: 'bytes', bytes }) as const),
  fc.double().map((percent) => ({ kind: 'percent', percent }) as const),
  fc.double().map((durationMs) => ({ kind: 'duration', durationMs }) as const),
);

const many = <T>(item: fc.Arbitrary<T>, most: number) => fc.array(item, { maxLength: most, size: 'max' });

const next = many(
  fc.record({ label: foreign, operation: fc.constant('show'), input: fc.record({ vps: foreign }) }),
  6,
);

const outcome: fc.Arbitrary<RedactedOutcome> = fc.record({
  title: foreign,
  facts: many(fc.record({ label: foreign, value }), 45),
  table: fc.record({
    columns: many(foreign, 25).filter(({ length }) => length > 0),
    rows: many(many(value, 8), 70),
  }),
  listings: many(
    fc.record({ heading: foreign, items: many(fc.record({ typed: foreign, text: foreign }), 5) }),
    4,
  ),
  notes: many(foreign, 20),
  next,
  secretRef: fc.record({
    id: fc.uuid(),
    labels: many(foreign, 5),
    expiresMs: fc.constant(1_767_225_600_000),
  }),
});

const problem = fc.record({
  code: fc.constant('refused' as const),
  message: foreign,
  changed: foreign,
  advice: foreign,
  serviceMessage: foreign,
  facts: many(fc.record({ label: foreign, value }), 45),
  nextSteps: next,
});

describe('an outcome or a problem with any text', () => {
  test('renders to a message that Slack accepts, on each page, and to a modal', () => {
    fc.assert(
      fc.property(outcome, fc.nat({ max: 5 }), (told, page) => {
        const message = renderOutcome(told, { runId: '00dc7969-6805-40dd-b028-0020cb9847e2', page });
        expect(validateMessage(message)).toEqual([]);
        expect(validateView(messageView('Answer', message))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  test('renders to a problem that Slack accepts', () => {
    fc.assert(
      fc.property(problem, (told) => {
        expect(validateMessage(renderProblem(told))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});
