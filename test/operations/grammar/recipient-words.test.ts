import { expect, test } from 'vitest';
import { flagRecipients } from '../../../src/operations/grammar/parse-command.ts';

const fields = [{ flag: 'escalate', recipientFlag: 'escalate-to' }, { flag: 'notify' }];

test.each([
  ['--escalate 15m @U0LEAD', '--escalate 15m --escalate-to @U0LEAD'],
  ['--escalate 15m S0ONCALL --notify @U0BOB', '--escalate 15m --escalate-to S0ONCALL --notify @U0BOB'],
  ['--escalate=15m @lead', '--escalate=15m --escalate-to @lead'],
  ['cpu > 90% --escalate 15m --escalate-to @lead', 'cpu > 90% --escalate 15m --escalate-to @lead'],
  ['--escalate 15m cpu > 90%', '--escalate 15m cpu > 90%'],
  ['--notify @U0BOB @U0CAROL', '--notify @U0BOB @U0CAROL'],
])('%s', (typed, flagged) => {
  expect(flagRecipients(typed.split(' '), fields).join(' ')).toBe(flagged);
});
