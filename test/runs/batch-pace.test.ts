import { expect, test } from 'vitest';
import { describePace, offerPace } from '../../src/runs/pipeline/confirmation/card-offers.ts';
import { findChange } from '../operations/operation-harness.ts';

const button = (atATime: number) => ({ pace: { button: `${atATime} at a Time`, atATime } });
const all = 'All: each VPS begins as soon as the quota allows. If one fails, the others continue.';
const paced = (number: number) =>
  `${number} at a time: the next VPS begins when one is done. After a failure, no more VPS begin.`;

test.each<[readonly string[], number | undefined, object, readonly string[]]>([
  [['VPS-1'], undefined, {}, [all]],
  [['VPS-1', 'VPS-2'], undefined, button(1), [all, paced(1)]],
  [['VPS-1', 'VPS-2', 'VPS-3'], undefined, button(2), [all, paced(2)]],
  [['VPS-1', 'VPS-2', 'VPS-3'], 1, {}, [paced(1)]],
  [['VPS-1', 'VPS-2'], 2, {}, [paced(2)]],
])(
  'a batch of %j with the pace %s offers a pace only if it makes a difference',
  (targets, atATime, offered, notes) => {
    const batch = findChange('reboot several');
    expect(offerPace(batch, { targets, atATime })).toEqual(offered);
    expect(describePace(batch, { targets, atATime })).toEqual(notes);
  },
);

test('a change of one VPS has no pace', () => {
  expect(offerPace(findChange('reboot'), { vps: 'VPS-1' })).toEqual({});
  expect(describePace(findChange('reboot'), { vps: 'VPS-1' })).toEqual([]);
});
