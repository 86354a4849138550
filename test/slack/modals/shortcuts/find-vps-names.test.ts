import { expect, test } from 'vitest';
import { listNamedVps } from '../../../../src/slack/modals/shortcuts/find-vps-names.ts';

const choices = [
  {
    value: 'VPS-10002',
    text: 'web-02 (VPS-10002)',
    aliases: ['web-02.acme.example'],
    shortAliases: ['web-02'],
  },
  { value: 'VPS-10006', text: 'orders (VPS-10006)', ownAlias: 'orders', aliases: ['db-02.acme.example'] },
  { value: 'VPS-20001', text: 'mail (VPS-20001)', aliases: ['mail'] },
  { value: 'VPS-20002', text: 'mail (VPS-20002)', aliases: ['mail'] },
];

test.each([
  ['Is web-02 down again?', ['VPS-10002']],
  ['WEB-02.acme.example, please. And orders.', ['VPS-10002', 'VPS-10006']],
  ['web-021 and web are others', []],
  ['web-02 is down, VPS-10006 and VPS-77777 are not', ['VPS-10002', 'VPS-10006', 'VPS-77777']],
  ['mail is the name of two', []],
])('the VPS named in "%s" are found', (text, found) => {
  expect(listNamedVps({ text }, choices)).toEqual(found);
});
