import { expect, test } from 'vitest';
import { parseInput } from '../../../src/operations/define/arguments/input.ts';
import { domainAdd } from '../../../src/operations/webgate/add-domain.ts';
import { domainDelete } from '../../../src/operations/webgate/delete-domain.ts';

test.each([
  ['пример.рф', 'xn--e1afmkfd.xn--p1ai'],
  ['App.Example.com.', 'app.example.com'],
  ['my–app.example.com', 'my-app.example.com'],
  ['xn—e1afmkfd.xn—p1ai', 'xn--e1afmkfd.xn--p1ai'],
])('%s is the same domain when it is added and when it is deleted', (domain, name) => {
  expect(parseInput(domainAdd, { domain, vps: 'VPS-10001' })).toMatchObject({
    kind: 'valid',
    input: { domain: name },
  });
  expect(parseInput(domainDelete, { domain })).toMatchObject({ kind: 'valid', input: { domain: name } });
});

test('a value of a select that is not a domain name stays as it is', () => {
  expect(parseInput(domainDelete, { domain: '~Ab.C_d' })).toMatchObject({ input: { domain: '~Ab.C_d' } });
});
