import { describe, expect, test } from 'vitest';
import { goOn, type Sight } from '../../src/watches/round.ts';
import { atRest, type Standing, type Watch } from '../../src/watches/watch.ts';

const minuteMs = 60_000;
const nowMs = Date.parse('2026-11-23T08:00Z');

const watch: Watch = {
  id: 'w',
  teamId: 'T0ACME',
  name: 'State',
  channel: 'C0OPS',
  vps: 'VPS-1*',
  condition: { measure: 'state', is: 'is not', state: 'running', forMs: 0 },
  madeBy: 'U0ALICE',
  state: { kind: 'active' },
  revision: 0,
  standing: atRest,
};

/** One round a minute; each sees the states that it is given, in a list that may have more pages. */
function roundsOf(lists: readonly Readonly<Record<string, string>>[], mayHaveMore: boolean): Standing {
  return lists.reduce<Standing>((standing, states, index) => {
    const sight: Sight = {
      fleet: { states: new Map(Object.entries(states)), mayHaveMore },
      seen: new Map(),
      nowMs: nowMs + index * minuteMs,
      everyMs: minuteMs,
      roundMs: minuteMs,
      isMuted: () => false,
    };
    return goOn({ ...watch, standing }, sight);
  }, atRest);
}

const stopped = { 'VPS-10001': 'stopped', 'VPS-20001': 'stopped' };

describe('a VPS that the list does not have any more', () => {
  test('leaves the message of its watch', () => {
    const { courses, incident } = roundsOf([stopped, {}], false);
    expect(courses).toEqual({});
    expect(incident?.members).toMatchObject({ 'VPS-10001': { ending: 'gone', endedMs: nowMs + minuteMs } });
  });

  test('counts as unread where there may be more than was listed', () => {
    const { courses, incident } = roundsOf([stopped, {}, {}], true);
    expect(courses).toMatchObject({ 'VPS-10001': { isOver: true, unreadMs: nowMs + minuteMs } });
    expect(incident?.members).toMatchObject({ 'VPS-10001': { endedMs: null, unreadMs: nowMs + minuteMs } });
  });
});
