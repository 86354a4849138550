import { RackhandError } from '../../errors.ts';
import { vpsArgument } from '../../operations/choices/sources/vps.ts';
import { defineLocal } from '../../operations/define/define-operation.ts';
import type { Operation } from '../../operations/define/operation.ts';
import { maxStars, type StarStore } from './star-store.ts';

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
