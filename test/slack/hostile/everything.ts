import { describe, expect, onTestFinished, test } from 'vitest';
import type { Case } from '../operations/case.ts';
import { allCases } from '../operations/cases/all.ts';
import { confirmAll, openSelects, shareAll, turnPages } from './acting.ts';
import type { Distort } from './distortions.ts';
import { secret } from './services.ts';
import { channels, settledAnswers, startHostileStage } from './stage.ts';

/** One of each operation, the first of its cases. */
const cases: readonly Case[] = [
  ...new Map(
    Object.values(allCases)
      .flat()
      .toReversed()
      .map((one) => [one.operation, one]),
  ).values(),
];

/** Describes what every operation makes of some of the hostile services. */
export function describeEverything(services: Readonly<Record<string, Distort>>): void {
  describe('whatever the service sends', () => {
    test.each(Object.entries(services))(
      'every operation has an answer that Slack takes, that calls nobody and keeps secrets: %s',
      async (_, distort) => {
        const stage = await startHostileStage({ distort });
        onTestFinished(stage.close);
        for (const [index, { typed }] of cases.entries()) {
          await stage.slack.slash(typed, { channel: channels[index % channels.length] ?? '' });
          await stage.passTime(1_000);
        }
        const answers = await settledAnswers(stage, cases.length);
        await stage.expectHarmless([secret]);

        await confirmAll(stage, answers);
        await settledAnswers(stage, cases.length);
        await turnPages(stage);
        await openSelects(stage);
        await stage.slack.act('home', { user: 'U0ALICE' });
        expect(await shareAll(stage)).toBeGreaterThan(0);
        const all = await settledAnswers(stage, cases.length);
        expect(all.filter(({ text }) => text.includes('went wrong inside'))).toEqual([]);
        await stage.expectHarmless([secret]);
      },
      60_000,
    );
  });
}
