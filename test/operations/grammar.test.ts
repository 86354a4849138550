import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allOperations } from '../../src/operations/all.ts';
import { createCatalogue } from '../../src/operations/catalogue.ts';
import { parseCommand } from '../../src/operations/grammar.ts';
import { parseInput } from '../../src/operations/input.ts';
import { usageOf } from '../../src/operations/usage.ts';

const catalogue = allOperations();
const operations = catalogue.groups.flatMap((group) => group.operations);
const parse = (text: string) => parseCommand(text, catalogue);

describe('a command', () => {
  test.each([
    ['list', 'list', {}, false],
    ['LIST --public', 'list', {}, true],
    ['  show   vps-10001 ', 'show', { vps: 'vps-10001' }, false],
    [
      'snapshot create VPS-10001 "before the upgrade"',
      'snapshot create',
      { vps: 'VPS-10001', name: 'before the upgrade' },
      false,
    ],
    ["snapshot create VPS-10001 'one'\\''s'", 'snapshot create', { vps: 'VPS-10001', name: "one's" }, false],
    ['ssh set VPS-10001 2222', 'ssh set', { vps: 'VPS-10001', port: '2222' }, false],
    ['ssh set', 'ssh set', {}, false],
    ['help ssh set', 'help', { topic: 'ssh set' }, false],
    ['', 'help', {}, false],
    [
      'lb create a.example.com --mode=leastconn --backend VPS-1:80 --backend=VPS-2:81 --websocket',
      'lb create',
      {
        domain_name: 'a.example.com',
        mode: 'leastconn',
        backends: ['VPS-1:80', 'VPS-2:81'],
        websocket_enabled: true,
      },
      false,
    ],
  ])('"%s" is understood', (text, name, raw, isPublic) => {
    expect(parse(text)).toMatchObject({ kind: 'run', operation: { name }, raw, isPublic });
  });

  test.each([
    ['reboot "VPS-10001', 'quotation mark'],
    ['reboot VPS-10001 VPS-10002', 'one word too many'],
    ['list --pulic', 'the nearest is --public'],
    ['lb create a.example.com --mode', 'lacks its value'],
    ['list -x', 'no option -x'],
    ['x'.repeat(3_001), 'too long'],
  ])('"%s" is malformed', (text, words) => {
    expect(parse(text)).toMatchObject({ kind: 'malformed', message: expect.stringContaining(words) });
  });

  test.each([
    ['rebot VPS-10001', 'reboot VPS-10001'],
    ['snapshot creat "VPS-10001" x', 'snapshot create VPS-10001 x'],
    ['ssh st VPS-10001 22', 'ssh set VPS-10001 22'],
  ])('"%s" has the suggestion "%s"', (text, suggestion) => {
    expect(parse(text)).toMatchObject({ kind: 'unknown', suggestion: { text: suggestion } });
  });

  test.each(['snapshot', 'lb', 'IP'])('"%s" alone asks what there is in the family', (text) => {
    expect(parse(text)).toMatchObject({
      kind: 'run',
      operation: { name: 'help' },
      raw: { topic: text.toLowerCase() },
    });
  });

  test('that is like nothing has no suggestion', () => {
    expect(parse('xylophone quartet')).toEqual({ kind: 'unknown', typed: 'xylophone' });
  });

  test('of any text is taken apart without a throw, and its input is judged without one', () => {
    const words = fc.constantFrom(
      ...operations.flatMap(({ name }) => name.split(' ')),
      '--backend',
      '--mode',
      'VPS-10001',
      '"',
      "'",
      '\\',
      '--',
      '=',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.oneof(words, fc.string()), { maxLength: 10 }).map((parts) => parts.join(' ')),
    );
    fc.assert(
      fc.property(text, (typed) => {
        const parsed = parse(typed);
        if (parsed.kind === 'run') expect(parseInput(parsed.operation, parsed.raw).ok).toBeTypeOf('boolean');
        else expect(parsed.kind).toMatch(/unknown|malformed/);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('the catalogue', () => {
  test('refuses two operations of one name', () => {
    const [first] = operations;
    if (!first) throw new Error('there are operations');
    expect(() => createCatalogue([{ heading: 'Twice', operations: [first, first] }])).toThrow(first.name);
  });

  test.each(operations.map((operation) => [operation.name, operation] as const))(
    '%s fits where Slack shows it',
    (_, operation) => {
      expect(operation.name.split(' ').length).toBeLessThanOrEqual(2);
      expect(operation.heading.length).toBeLessThanOrEqual(24);
      if (operation.kind === 'change') expect(operation.button.length).toBeLessThanOrEqual(24);
      expect(operation.summary).not.toMatch(/\.$/);
      expect(usageOf(operation).startsWith(operation.name)).toBe(true);
    },
  );
});

describe('an input', () => {
  const find = (name: string) => {
    const operation = catalogue.find(name);
    if (!operation) throw new Error(`no operation ${name}`);
    return operation;
  };

  test('that lacks something is missing it; one that is wrong is not', () => {
    expect(parseInput(find('ssh set'), { vps: 'VPS-10001' })).toMatchObject({ ok: false, missing: true });
    expect(parseInput(find('ssh set'), { port: '0' })).toMatchObject({ ok: false, missing: false });
    expect(
      parseInput(find('lb create'), { domain_name: 'a.example.com', backends: ['VPS-10001'] }),
    ).toMatchObject({
      ok: false,
      missing: false,
      problems: [{ path: 'backends.0', message: 'Backend looks like VPS-10001:80:weight=2' }],
    });
  });

  test('takes every port from 1 to 65535 and nothing else', () => {
    const port = (text: string) => parseInput(find('ssh set'), { vps: 'VPS-10001', port: text });
    const inRange = fc.integer({ min: 1, max: 65_535 });
    const outside = fc.oneof(
      fc.integer({ max: 0 }),
      fc.integer({ min: 65_536 }),
      fc.double({ noInteger: true }),
    );
    fc.assert(
      fc.property(inRange, (value) => {
        expect(port(`${value}`)).toMatchObject({ ok: true, input: { port: value } });
      }),
    );
    fc.assert(
      fc.property(outside, (value) => {
        expect(port(`${value}`).ok).toBe(false);
      }),
    );
    for (const text of ['ssh', '', '0x16', '1e3', '２２', '22;']) expect(port(text).ok).toBe(false);
  });

  test('takes a VPS name with its prefix in any case', () => {
    for (const vps of ['VPS-10001', 'vps-10001', 'Vps-10001']) {
      expect(parseInput(find('reboot'), { vps })).toMatchObject({ ok: true, input: { vps: 'VPS-10001' } });
    }
    expect(parseInput(find('reboot'), { vps: 'vps-aBc9x' })).toMatchObject({
      ok: true,
      input: { vps: 'VPS-aBc9x' },
    });
  });
});
