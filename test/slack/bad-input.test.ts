import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningStack, startStack, textOf } from '../stack.ts';

describe('what is not understood', () => {
  let running: RunningStack;
  beforeAll(async () => {
    running = await startStack({ hosting: { quota: 10_000 } });
  });
  afterAll(() => running.close());

  test.each([
    ['reboot vps10001', '"vps10001" is not the name of a VPS', 'VPS-10001'],
    ['reboot VPS-1001', 'There is no VPS called VPS-1001', 'VPS-10001'],
    ['snapshot create VPS-99999 x', 'There is no VPS called VPS-99999', 'VPS-100'],
    ['show <!channel>', '"<!channel>" is not the name of a VPS', 'VPS-100'],
  ])('"%s" says what a VPS name looks like and offers the closest', async (text, what, closest) => {
    const { slack, service } = running;
    await slack.slash(text);
    const answer = await slack.message(what.replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
    expect(answer.ephemeral).toBe(true);
    expect(textOf(answer)).toContain('looks like VPS-10001');
    expect(textOf(answer)).toContain(`Use ${closest}`);
    expect(await service.changes()).toEqual([]);
  });

  test('the closest name, pressed, is asked for instead', async () => {
    const { slack } = running;
    await slack.slash('reboot vps10008');
    await slack.click(await slack.message('"vps10008" is not the name'), 'step:0');
    await slack.message('Reboot VPS-10008?');
  });

  test.each([
    ['rebot VPS-10001', 'Use reboot'],
    ['snapshoot create VPS-10001 x', 'Use snapshot create'],
    ['sttus', 'Use status'],
  ])('"%s" offers the closest operation and the way to help', async (text, label) => {
    const { slack } = running;
    await slack.slash(text);
    const answer = await slack.message(`There is no operation called "${text.split(' VPS')[0]}"`);
    expect(textOf(answer)).toContain(`"${label}"`);
    expect(textOf(answer)).toContain('"Help"');
  });

  test('the word of a family alone is answered by what there is in it', async () => {
    const { slack } = running;
    await slack.slash('snapshot');
    expect(textOf(await slack.message('What you can do: snapshot'))).toContain('snapshot restore');
  });

  test('something far from every operation offers help', async () => {
    const { slack } = running;
    await slack.slash('xylophone quartet');
    expect(textOf(await slack.message('There is no operation called "xylophone"'))).toContain('"Help"');
  });

  test.each([
    ['reboot "VPS-10001', 'A quotation mark is opened and not closed.'],
    ['show VPS-10001 and more', '"and" is one word too many'],
    [
      'lb create a.example.com --bakend VPS-10001:80',
      'There is no option --bakend here; the nearest is --backend.',
    ],
    ['lb create a.example.com --backend VPS-10001', 'Backend looks like VPS-10001:80'],
    ['lb create a.example.com --backend VPS-10001:99999', 'Port must be a whole number from 1 to 65535'],
    ['ssh set VPS-10001 65536', 'SSH port must be a whole number from 1 to 65535'],
    ['lb create not_a_host! --backend VPS-10001:80', 'A domain looks like app.example.com'],
  ])('"%s" is answered with "%s"', async (text, words) => {
    const { slack, service } = running;
    await slack.slash(text);
    expect((await slack.message(words)).ephemeral).toBe(true);
    expect(await service.changes()).toEqual([]);
  });

  test('a wrong value opens the form, filled as it was, from its button', async () => {
    const { slack } = running;
    await slack.slash('ssh set VPS-10001 65536');
    await slack.click(await slack.message('SSH port must be'), 'step:0');
    const view = await slack.modal();
    expect(textOf(view)).toContain('"value":"VPS-10001"');
    expect(textOf(view)).toContain('65536');
    await slack.act('close', { user: 'U0ALICE', view: view.id });
  });

  const noise = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.constantFrom(
      'x'.repeat(4_000),
      '\u202Ereboot VPS-10001',
      '<!channel> <!here>',
      '"\'"\'',
      '&amp;&lt;!channel&gt;',
      'reboot <!everyone>',
    ),
    fc
      .array(
        fc.constantFrom(
          'reboot',
          'snapshot',
          'create',
          'VPS-10001',
          '--public',
          '"',
          "'",
          '<!channel>',
          '\\',
          '--',
          '=',
          '\u200F',
        ),
        { maxLength: 8 },
      )
      .map((words) => words.join(' ')),
  );

  test('noise is answered to that person alone, pings nobody and changes nothing', {
    timeout: 60_000,
  }, async () => {
    const { slack, service } = running;
    await fc.assert(
      fc.asyncProperty(noise, async (text) => {
        // What is complete and asks for a snapshot is no noise.
        fc.pre(!/snapshot\s+create\s+\S+\s+\S/.test(text));
        expect((await slack.slash(text, { user: 'U0CAROL', channel: 'C0GENERAL' })).acknowledged).toBe(true);
      }),
      { numRuns: 150 },
    );
    await slack.slash('status', { user: 'U0CAROL', channel: 'C0GENERAL' });
    await slack.message('answers', 'C0GENERAL', 'U0CAROL');
    expect(await service.changes()).toEqual([]);
    const seen = await slack.messages('C0GENERAL', 'U0CAROL');
    expect(seen.length).toBeGreaterThan(100);
    expect(seen.filter(({ pings }) => pings.length > 0)).toEqual([]);
    expect(
      seen.filter(
        ({ ephemeral, text }) =>
          !ephemeral && !/public/.test(text) && !/^\d+ VPS|answers|What you can do/.test(text),
      ),
    ).toEqual([]);
  });
});
