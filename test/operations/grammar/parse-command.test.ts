import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseInput } from '../../../src/operations/define/arguments/input.ts';
import { createCatalogue } from '../../../src/operations/define/catalogue.ts';
import { parseCommand } from '../../../src/operations/grammar/parse-command.ts';
import { formatUsage } from '../../../src/operations/grammar/usage.ts';
import { hostingOperations } from '../../../src/operations/hosting-operations.ts';
import { anyCharacter } from '../../arbitraries/any-character.ts';

const catalogue = hostingOperations();
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
    ['ssh set vps 22', 'ssh set', { vps: 'vps', port: '22' }, false],
    ['ssh set vps 10001 22', 'ssh set', { vps: 'VPS_10001', port: '22' }, false],
    ['ssh set', 'ssh set', {}, false],
    ['help ssh set', 'help', { topic: 'ssh set' }, false],
    ['', 'help', {}, false],
    ['list --public yes', 'list', {}, true],
    ['list --public no', 'list', {}, false],
    ['list --sort ""', 'list', { sort: '' }, false],
    ['reboot web-01 --reason "INC-42"', 'reboot', { vps: 'web-01', reason: 'INC-42' }, false],
    ['stop web-01', 'action', { vps: 'web-01', action: 'stop' }, false],
    ['START', 'action', { action: 'start' }, false],
    ['restart web-01', 'reboot', { vps: 'web-01' }, false],
    ['restart web-*', 'reboot several', { targets: ['web-*'] }, false],
    ['ssh web-01', 'ssh list', { vps: 'web-01' }, false],
    ['port list', 'webgate', { part: 'ports' }, false],
    ['LB show app.example.com', 'webgate', { part: 'lbs', name: 'app.example.com' }, false],
    ['reboot web-01 web-02', 'reboot several', { targets: ['web-01', 'web-02'] }, false],
    [
      'reboot web-01, web-02 and db-02 please',
      'reboot several',
      { targets: ['web-01', 'web-02', 'db-02'] },
      false,
    ],
    ['reboot web-*', 'reboot several', { targets: ['web-*'] }, false],
    ['reboot --vps web-01,db-* --vps x', 'reboot several', { targets: ['web-01', 'db-*', 'x'] }, false],
    ['start --state stopped', 'action several', { targets: ['*'], state: 'stopped', action: 'start' }, false],
    [
      'stop x y --at-a-time 2 --reason INC-1',
      'action several',
      { targets: ['x', 'y'], atATime: '2', action: 'stop', reason: 'INC-1' },
      false,
    ],
    [
      'snapshot create nightly --vps db-*',
      'snapshot create several',
      { targets: ['db-*'], name: 'nightly' },
      false,
    ],
    ['action stop --state running', 'action several', { action: 'stop', state: 'running' }, false],
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
    ['show VPS-10001 VPS-10002', '"show" takes one VPS at a time.'],
    ['show web-01 --at-a-time 2', 'no option --at-a-time'],
    ['snapshot create VPS-10001 before upgrade', 'Unexpected "upgrade"'],
    ['list --pulic', 'Did you mean --public'],
    ['lb create a.example.com --mode', '--mode needs a value.'],
    ['lb create a.example.com --mode --websocket', '--mode needs a value.'],
    ['list --public=all', '--public takes yes or no.'],
    ['list -x', 'no option -x'],
    ['list --reason x', 'no option --reason'],
    [`reboot web-01 --reason ${'x'.repeat(201)}`, 'at most 200 characters'],
    ['x'.repeat(3_001), 'Too long'],
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

  test.each(['snapshot', 'lb', 'IP'])('"%s" alone lists the operations of the family', (text) => {
    expect(parse(text)).toMatchObject({
      kind: 'run',
      operation: { name: 'help' },
      raw: { topic: text.toLowerCase() },
    });
  });

  test('sets no argument that only buttons set', () => {
    expect(parse('snapshot list web-01 --more')).toMatchObject({
      kind: 'malformed',
      message: "There's no option --more here.",
    });
  });

  test('that resembles nothing has no suggestion', () => {
    expect(parse('xylophone quartet')).toEqual({ kind: 'unknown', typed: 'xylophone' });
  });

  test('with any text is parsed and validated without throwing', () => {
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
      fc.string({ unit: anyCharacter }),
      fc.array(fc.oneof(words, fc.string()), { maxLength: 10 }).map((parts) => parts.join(' ')),
    );
    fc.assert(
      fc.property(text, (typed) => {
        const parsed = parse(typed);
        if (parsed.kind === 'run') expect(parseInput(parsed.operation, parsed.raw).kind).toBeTypeOf('string');
        else expect(parsed.kind).toMatch(/unknown|malformed/);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('the catalogue', () => {
  test('rejects two operations with the same name', () => {
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
      expect(formatUsage(operation).startsWith(operation.name)).toBe(true);
    },
  );
});

describe('an input', () => {
  const find = (name: string) => {
    const operation = catalogue.find(name);
    if (!operation) throw new Error(`no operation ${name}`);
    return operation;
  };

  test("without a required value has a missing argument, which isn't an invalid one", () => {
    expect(parseInput(find('ssh set'), { vps: 'VPS-10001' })).toMatchObject({
      kind: 'invalid',
      isIncomplete: true,
    });
    expect(parseInput(find('ssh set'), { port: '0' })).toMatchObject({
      kind: 'invalid',
      isIncomplete: false,
    });
    expect(
      parseInput(find('lb create'), { domain_name: 'a.example.com', backends: ['VPS-10001'] }),
    ).toMatchObject({
      kind: 'invalid',
      isIncomplete: false,
      problems: [{ path: 'backends.0', message: 'Backend looks like VPS-10001:80:weight=2' }],
    });
  });

  test('accepts every port from 1 to 65535 and nothing else', () => {
    const port = (text: string) => parseInput(find('ssh set'), { vps: 'VPS-10001', port: text });
    const inRange = fc.integer({ min: 1, max: 65_535 });
    const outside = fc.oneof(
      fc.integer({ max: 0 }),
      fc.integer({ min: 65_536 }),
      fc.double({ noInteger: true }),
    );
    fc.assert(
      fc.property(inRange, (value) => {
        expect(port(`${value}`)).toMatchObject({ kind: 'valid', input: { port: value } });
      }),
    );
    fc.assert(
      fc.property(outside, (value) => {
        expect(port(`${value}`).kind).toBe('invalid');
      }),
    );
    for (const text of ['ssh', '', '0x16', '1e3', '２２', '22;']) expect(port(text).kind).toBe('invalid');
  });
});

describe('a switch', () => {
  const typed = (words: string) => {
    const parsed = parseCommand(`lb create a.example.com --backend VPS-1:80 ${words}`, catalogue);
    return parsed.kind === 'run' ? parsed.raw.redirect_https : parsed;
  };

  test.each<[string, boolean | undefined]>([
    ['--redirect-https', true],
    ['--redirect-https yes', true],
    ['--redirect-https ON --websocket', true],
    ['--redirect-https=true', true],
    ['--redirect-https no', false],
    ['--redirect-https false', false],
    ['--redirect-https=off', false],
    ['--websocket', undefined],
  ])('can be typed as %s', (words, value) => {
    expect(typed(words)).toBe(value);
  });

  test('accepts nothing but yes or no', () => {
    expect(typed('--redirect-https=maybe')).toMatchObject({
      kind: 'malformed',
      message: '--redirect-https takes yes or no.',
    });
    expect(typed('--redirect-https maybe')).toMatchObject({
      kind: 'malformed',
      message: expect.stringContaining('"maybe"'),
    });
  });
});
