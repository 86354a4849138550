import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkMessage } from '../../src/sandbox/slack/block-kit/check.ts';
import { pingsIn } from '../../src/sandbox/slack/world/pings.ts';
import { renderNews } from '../../src/slack/render/news.ts';
import type { News } from '../../src/workspaces/record/news.ts';

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 3_000 }),
  fc.constantFrom(
    '<!channel>',
    '<@U0BOB>',
    '@here',
    '<!subteam^S0ONCALL>',
    '*_~`',
    '\u202Ereboot',
    '',
    ' \n ',
  ),
);

const news: fc.Arbitrary<News> = fc.record(
  {
    status: fc.constantFrom('done', 'failed', 'refused', 'unknown', 'expired'),
    what: hostile,
    who: hostile,
    tookMs: fc.option(fc.nat()),
    said: hostile,
  },
  { requiredKeys: ['status', 'what', 'who', 'tookMs'] },
);

test('news are taken by Slack and call nobody, whatever the names in them', () => {
  fc.assert(
    fc.property(fc.array(news, { minLength: 1, maxLength: 20 }), (several) => {
      const message = renderNews(several);
      expect(checkMessage(message)).toEqual([]);
      expect(pingsIn(message)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('each piece of news is one line', () => {
  const one: News = { status: 'done', what: 'reboot VPS-1\nVPS-2', who: 'alice', tookMs: 90_000 };
  const message = renderNews([one, { ...one, said: 'So it is.' }]);
  const text = [...JSON.stringify(message.blocks).matchAll(/"text":"((?:[^"\\]|\\.)*)"/g)]
    .map(([, words]) => words)
    .join('');
  expect(text.split('\\n')).toEqual([
    'reboot VPS-1 VPS-2 · ✅ Done · alice · 1 min 30 s',
    'reboot VPS-1 VPS-2 · ✅ Done · alice · 1 min 30 s · So it is.',
  ]);
});
