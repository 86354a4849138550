import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AccessRequest } from '../../../src/auth/access-requests/access-request.ts';
import { createAccessRequestStore } from '../../../src/auth/access-requests/access-request-store.ts';
import {
  type AccessRequests,
  createAccessRequests,
} from '../../../src/auth/access-requests/access-requests.ts';
import { createAuthorizer } from '../../../src/auth/authorizer.ts';
import { createGrantStore } from '../../../src/auth/grants/grant-store.ts';
import { type OpenDatabase, openDatabase } from '../../../src/db/engines/database.ts';
import { createRunStore } from '../../../src/runs/store/run-store.ts';
import { createContext, createStubRead } from '../../operations/operation-harness.ts';
import { testVault } from '../../runs/test-vault.ts';
import { createMemberDirectory } from '../member-directory-fixture.ts';

const actor = { teamId: 'T0ACME', userId: 'U0BOB' };

let database: OpenDatabase;
let requests: AccessRequests;
let nowMs = 1_000;
let sent: { readonly request: AccessRequest; readonly person: string }[];
let decided: AccessRequest[];
let unreachable: string[];
let edited: string[][];
beforeEach(async () => {
  database = await openDatabase('sqlite::memory:');
  [sent, decided, unreachable, edited] = [[], [], [], []];
  const store = createGrantStore(database.db);
  const directory = createMemberDirectory({ admins: ['U0ALICE', 'U0ZOE'] });
  requests = createAccessRequests({
    store: createAccessRequestStore(database.db),
    authorizer: createAuthorizer({ store, directory }),
    cards: {
      async send(request, person) {
        if (unreachable.includes(person)) return undefined;
        sent.push({ request, person });
        return { channel: `D-${person}`, ts: '1.2' };
      },
      edit: async (shown) => {
        edited.push(
          shown.map(({ patterns, decision }) => `${patterns}${decision ? ` ${decision.kind}` : ''}`),
        );
        return shown[0]?.cards ?? [];
      },
      notify: async (request) => void decided.push(request),
    },
    runs: createRunStore(database.db, testVault),
    now: () => nowMs,
  });
});
afterEach(() => database.close());

/** Runs `access ask` as Bob. */
async function requestAccess(right: 'operate' | 'admin' = 'operate', vps = 'VPS-10001') {
  const { operation } = requests;
  if (operation.kind !== 'local') throw new Error('access ask is not a local operation');
  const denial = { message: 'no', advice: 'no' };
  const context = {
    ...createContext(createStubRead(new Map())),
    actor,
    loadAccess: async () => () => denial,
  };
  return operation.run(context, { right, vps });
}

const neverGrant = () => Promise.reject(new Error('the grant was run'));

async function findRequest(): Promise<AccessRequest> {
  const id = sent[0]?.request.id ?? '';
  const found = await requests.find('T0ACME', id);
  if (found.kind !== 'open') throw new Error(`the request is ${found.kind}`);
  return found.request;
}

describe('access ask', () => {
  test('asks each admin once, and says how many were asked', async () => {
    expect((await requestAccess()).title).toBe('Asked 2 admins for operate on VPS-10001');
    expect((await requestAccess()).title).toBe('Already requested: operate on VPS-10001');
    expect(sent.map(({ person }) => person)).toEqual(['U0ALICE', 'U0ZOE']);
    expect((await findRequest()).cards).toHaveLength(2);
  });

  test('fails if no admin can be reached, and can be repeated', async () => {
    unreachable = ['U0ALICE', 'U0ZOE'];
    await expect(requestAccess()).rejects.toMatchObject({ code: 'member_unknown' });
    unreachable = ['U0ZOE'];
    expect((await requestAccess()).title).toBe('Asked one admin for operate on VPS-10001');
  });

  test('rejects the right admin on some VPS', async () => {
    await expect(requestAccess('admin')).rejects.toMatchObject({ code: 'input_invalid' });
    expect(sent).toEqual([]);
  });

  test('a person has one card, which is edited, and at most 5 open requests', async () => {
    for (let index = 1; index <= 5; index += 1) {
      nowMs += 1;
      await requestAccess('operate', `VPS-1000${index}`);
    }
    expect(sent).toHaveLength(2);
    expect(edited.at(-1)).toEqual(['VPS-10001', 'VPS-10002', 'VPS-10003', 'VPS-10004', 'VPS-10005']);
    await expect(requestAccess('operate', 'VPS-10006')).rejects.toThrow('You have 5 open requests');
    expect(edited).toHaveLength(4);
  });
});

describe('the decision on an access request', () => {
  test('is made once when two admins press Grant together', async () => {
    await requestAccess();
    const request = await findRequest();
    const keys: string[] = [];
    const grant = (by: string) =>
      requests.decide(request, { kind: 'granted', by, origin: {} }, async (key) => {
        keys.push(key);
        return undefined;
      });
    expect(await Promise.all([grant('U0ALICE'), grant('U0ZOE')])).toContainEqual({ kind: 'claimed' });
    expect(keys).toEqual([expect.stringContaining(request.id)]);
    expect(decided).toMatchObject([{ decision: { kind: 'granted' } }]);
    expect(await requests.find('T0ACME', request.id)).toEqual({ kind: 'decided' });
  });

  test('passes to another admin if the process died during the grant', async () => {
    await requestAccess();
    const request = await findRequest();
    const { promise: grantEnds, resolve: endGrant } = Promise.withResolvers<undefined>();
    const { promise: grantBegins, resolve: beginGrant } = Promise.withResolvers<void>();
    const granted = { kind: 'granted', by: 'U0ALICE', origin: {} } as const;
    const interrupted = requests.decide(request, granted, () => {
      beginGrant();
      return grantEnds;
    });
    await grantBegins;
    const declined = { kind: 'declined', by: 'U0ZOE', origin: {} } as const;
    expect(await requests.decide(await findRequest(), declined, neverGrant)).toEqual({ kind: 'claimed' });
    nowMs += 10 * 60_000;
    expect(await requests.decide(await findRequest(), declined, neverGrant)).toEqual({ kind: 'decided' });
    endGrant(undefined);
    expect(await interrupted).toEqual({ kind: 'claimed' });
    expect(decided).toMatchObject([{ decision: { kind: 'declined', by: 'U0ZOE' } }]);
  });

  test.each(['granted', 'declined'] as const)(
    'cannot be %s by a member without the right admin',
    async (kind) => {
      await requestAccess();
      const request = await findRequest();
      const given = { kind, by: 'U0CAROL', origin: {} };
      expect(await requests.decide(request, given, neverGrant)).toMatchObject({
        kind: 'problem',
        problem: { code: 'not_permitted' },
      });
      expect(decided).toEqual([]);
      const rows = await database.db.selectFrom('run').select(['user_id', 'status']).execute();
      expect(rows).toEqual([{ user_id: 'U0CAROL', status: 'refused' }]);
      const allowed = { ...given, by: 'U0ALICE' };
      expect(await requests.decide(request, allowed, async () => undefined)).toEqual({ kind: 'decided' });
    },
  );

  test('to decline is in the activity log, with the admin as actor', async () => {
    await requestAccess();
    const request = await findRequest();
    await requests.decide(request, { kind: 'declined', by: 'U0ALICE', origin: {} }, neverGrant);
    const rows = await database.db.selectFrom('run').select(['user_id', 'operation', 'target']).execute();
    expect(rows).toEqual([
      { user_id: 'U0ALICE', operation: 'access decline', target: 'operate on VPS-10001 for U0BOB' },
    ]);
  });
});
