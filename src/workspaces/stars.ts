import type { Database } from '../db/engines/database.ts';
import { RackhandError } from '../errors.ts';
import { vpsArgument } from '../operations/choices/sources/vps.ts';
import type { Actor } from '../operations/define/access/actor.ts';
import { defineLocal } from '../operations/define/define-operation.ts';
import type { Operation } from '../operations/define/operation.ts';

const listStep = { label: 'List Starred', operation: 'list', input: { starred: true } };

/** Declares the operations with which people star VPS for themselves. */
export function createStarOperations(store: StarStore, now: () => number): readonly Operation[] {
  return [
    defineLocal({
      name: 'star',
      heading: 'Star a VPS',
      summary: 'Star a VPS, so that your selects and lists have it first',
      arguments: { vps: vpsArgument({ example: 'web-01', hint: 'Only you see your stars.' }) },
      button: 'Star',
      right: 'view',
      target: ({ vps }) => vps,
      async run({ actor }, { vps }) {
        const stars = await store.list(actor);
        if (!stars.has(vps) && stars.size >= maxStars)
          throw new RackhandError('input_invalid', `You have starred ${maxStars} VPS. Unstar one first.`);
        await store.add(actor, vps, now());
        return {
          title: `${vps} is starred`,
          next: [{ label: 'Unstar', operation: 'unstar', input: { vps } }, listStep],
        };
      },
    }),

    defineLocal({
      name: 'unstar',
      heading: 'Unstar a VPS',
      summary: 'Remove your star from a VPS',
      arguments: { vps: vpsArgument({ example: 'web-01' }) },
      button: 'Unstar',
      right: 'view',
      target: ({ vps }) => vps,
      async run({ actor }, { vps }) {
        if (!(await store.remove(actor, vps)))
          throw new RackhandError('input_invalid', `${vps} isn't starred.`);
        return {
          title: `${vps} is no longer starred`,
          next: [{ label: 'Star', operation: 'star', input: { vps } }, listStep],
        };
      },
    }),
  ];
}

/** Maximum number of VPS that a person can star. Longer lists would no longer be favorites. */
const maxStars = 100;

type StarStore = ReturnType<typeof createStarStore>;

export function createStarStore(db: Database) {
  const ofActor = ({ teamId, userId }: Actor) =>
    db.selectFrom('vps_star').select('vps').where('team_id', '=', teamId).where('user_id', '=', userId);

  return {
    /** Returns the VPS that a person has starred. */
    async list(actor: Actor): Promise<ReadonlySet<string>> {
      const rows = await ofActor(actor).orderBy('vps').execute();
      return new Set(rows.map(({ vps }) => vps));
    },

    async add({ teamId, userId }: Actor, vps: string, nowMs: number): Promise<void> {
      await db
        .insertInto('vps_star')
        .values({ team_id: teamId, user_id: userId, vps, starred_at: nowMs })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /** Returns false if the VPS wasn't starred. */
    async remove({ teamId, userId }: Actor, vps: string): Promise<boolean> {
      const removed = await db
        .deleteFrom('vps_star')
        .where('team_id', '=', teamId)
        .where('user_id', '=', userId)
        .where('vps', '=', vps)
        .executeTakeFirst();
      return removed.numDeletedRows > 0n;
    },
  };
}
