import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRunStore } from '../../../src/operations/runs/run-store.ts';
import { type OpenDatabase, openDatabase } from '../../../src/storage/database.ts';
import { type AccessRequest, createRequestStore } from '../../../src/workspaces/rights/request-store.ts';
import { createRequests, type Requests } from '../../../src/workspaces/rights/requests.ts';
import { createRights } from '../../../src/workspaces/rights/rights.ts';
import { createRightsStore } from '../../../src/workspaces/rights/rights-store.ts';
import { contextOf, readFrom } from '../../operations/answering.ts';
import { directoryOf } from './people.ts';

const dayMs = 24 * 60 * 60_000;
const asker = { teamId: 'T0ACME', userId: 'U0BOB' };

let database: OpenDatabase;
let requests: Requests;
let nowMs = 1_000;
let asked: { readonly request: AccessRequest; readonly person: string }[];
let answered: AccessRequest[];
let unreachable: string[];
beforeEach(async () => {
  database = await openDatabase('sqlite::memory:');
  [asked, answered, unreachable] = [[], [], []];
  const store = createRightsStore(database.db);
  const directory = directoryOf({ admins: ['U0ALICE', 'U0ZOE'] });
  requests = createRequests({
    store: createRequestStore(database.db),
    rights: createRights({ store, directory }),
    desk: {
      async ask(request, person) {
        if (unreachable.includes(person)) return undefined;
        asked.push({ request, person });
        return { channel: `D-${person}`, ts: '1.2' };
      },
      tellAnswer: async (request) => void answered.push(request),
    },
    runs: createRunStore(database.db),
    now: () => nowMs,
  });
});
afterEach(() => database.close());

/** Asks for the right to change VPS-10001. */
async function ask(right: 'change' | 'administer' = 'change', vps = 'VPS-10001') {
  const { operation } = requests;
  if (operation.kind !== 'own') throw new Error('to ask is no operation of our own');
  const refusal = { what: 'no', next: 'no' };
  const context = { ...contextOf(readFrom(new Map())), asker, reach: async () => () => refusal };
  return operation.run(context, { right, vps });
}

/** What must not be carried out. */
const never = () => Promise.reject(new Error('it is granted all the same'));

async function requestOf(): Promise<AccessRequest> {
  const id = asked[0]?.request.id ?? '';
  const found = await requests.find('T0ACME', id);
  if (typeof found === 'string') throw new Error(`the request is ${found}`);
  return found;
}

describe('who asks for a right', () => {
  test('is told how many were asked, each of them once', async () => {
    expect((await ask()).title).toBe('Asked 2 people for change on VPS-10001');
    expect((await ask()).title).toBe('Asked before: change on VPS-10001');
    expect(asked.map(({ person }) => person)).toEqual(['U0ALICE', 'U0ZOE']);
    expect((await requestOf()).cards).toHaveLength(2);
  });

  test('is told where nobody could be reached, and can ask again', async () => {
    unreachable = ['U0ALICE', 'U0ZOE'];
    await expect(ask()).rejects.toMatchObject({ code: 'people_unknown' });
    unreachable = ['U0ZOE'];
    expect((await ask()).title).toBe('Asked one person for change on VPS-10001');
  });

  test('cannot ask to administer some VPS', async () => {
    await expect(ask('administer')).rejects.toMatchObject({ code: 'input_invalid' });
    expect(asked).toEqual([]);
  });

  test('can ask again after a week, when the old request is worth nothing', async () => {
    await ask();
    const { id } = await requestOf();
    nowMs += 7 * dayMs;
    expect(await requests.find('T0ACME', id)).toBe('gone');
    expect((await ask()).title).toBe('Asked 2 people for change on VPS-10001');
  });
});

describe('an answer', () => {
  test('counts once, the first of them', async () => {
    await ask();
    const request = await requestOf();
    const keys: string[] = [];
    const answer = (by: string) =>
      requests.answer(request, { kind: 'granted', by, origin: {} }, async (key) => {
        keys.push(key);
        return undefined;
      });
    expect(await Promise.all([answer('U0ALICE'), answer('U0ZOE')])).toContain('taken');
    expect(keys).toEqual([expect.stringContaining(request.id)]);
    expect(answered).toMatchObject([{ answer: { kind: 'granted' } }]);
    expect(await requests.find('T0ACME', request.id)).toBe('answered');
  });

  test('that cannot be carried out is none', async () => {
    await ask();
    const request = await requestOf();
    const problem = { code: 'not_permitted', what: 'no', changed: '', next: '' } as const;
    const given = { kind: 'granted', by: 'U0ALICE', origin: {} } as const;
    expect(await requests.answer(request, given, async () => problem)).toBe(problem);
    await expect(
      requests.answer(request, given, () => Promise.reject(new Error('the database is away'))),
    ).rejects.toThrow();
    expect(answered).toEqual([]);
    expect((await requestOf()).answer).toBeNull();
    expect(await requests.answer(request, given, async () => undefined)).toBeUndefined();
  });

  test('is none where the process ends before it is carried out, and somebody else can give it', async () => {
    await ask();
    const request = await requestOf();
    const { promise: grantEnds, resolve: endGrant } = Promise.withResolvers<undefined>();
    const { promise: grantBegins, resolve: beginGrant } = Promise.withResolvers<void>();
    const granted = { kind: 'granted', by: 'U0ALICE', origin: {} } as const;
    const interrupted = requests.answer(request, granted, () => {
      beginGrant();
      return grantEnds;
    });
    await grantBegins;
    const declined = { kind: 'declined', by: 'U0ZOE', origin: {} } as const;
    expect(await requests.answer(await requestOf(), declined, never)).toBe('taken');
    nowMs += 10 * 60_000;
    expect(await requests.answer(await requestOf(), declined, never)).toBeUndefined();
    endGrant(undefined);
    expect(await interrupted).toBe('taken');
    expect(answered).toMatchObject([{ answer: { kind: 'declined', by: 'U0ZOE' } }]);
  });

  test.each(['granted', 'declined'] as const)('is not %s by who may not grant', async (kind) => {
    await ask();
    const request = await requestOf();
    const given = { kind, by: 'U0CAROL', origin: {} };
    expect(await requests.answer(request, given, never)).toMatchObject({ code: 'not_permitted' });
    expect(answered).toEqual([]);
    const rows = await database.db.selectFrom('run').select(['user_id', 'status']).execute();
    expect(rows).toEqual([{ user_id: 'U0CAROL', status: 'refused' }]);
    const allowed = { ...given, by: 'U0ALICE' };
    expect(await requests.answer(request, allowed, async () => undefined)).toBeUndefined();
  });

  test('of another workspace finds nothing', async () => {
    await ask();
    expect(await requests.find('T0GLOBEX', (await requestOf()).id)).toBe('gone');
  });

  test('that declines is on record, under the name of who gave it', async () => {
    await ask();
    const request = await requestOf();
    await requests.answer(request, { kind: 'declined', by: 'U0ALICE', origin: {} }, never);
    const rows = await database.db.selectFrom('run').select(['user_id', 'operation', 'target']).execute();
    expect(rows).toEqual([
      { user_id: 'U0ALICE', operation: 'access decline', target: 'change on VPS-10001 for U0BOB' },
    ]);
  });
});
