import { expect, test } from 'vitest';
import { parseMrkdwn } from '../../../../packages/slack-sandbox/src/mrkdwn/parse-mrkdwn.ts';
import { escapeText } from '../../../../src/slack/blocks/elements/text.ts';
import { decodeSlackText } from '../../../../src/slack/listeners/invocation/decode-slack-text.ts';

test.each(['snapshot web-* and db-*.', '*all*', '_draft_ of ~old~', '* and *', 'a_b and c_d'])(
  'no mark of %s is taken for a style, and a copy of it is what was escaped',
  (text) => {
    const shown = escapeText(`on ${text} now`);
    expect(JSON.stringify(parseMrkdwn(`*Title* ${shown}`)).match(/styled/g)).toHaveLength(1);
    expect(JSON.stringify(parseMrkdwn(`*${escapeText(text)}*`)).match(/styled/g)).toHaveLength(1);
    expect(decodeSlackText(shown)).toBe(`on ${text} now`);
  },
);
