import { z } from 'zod';
import { RackhandError } from '../../errors.ts';
import { isVpsName } from '../../hosting/payloads/vps-name.ts';
import { toLookAlikeKey } from '../../operations/choices/matching/comparable-name.ts';
import { listLookAlikes, matchChoices } from '../../operations/choices/matching/match-choices.ts';
import { toVpsReference } from '../../operations/choices/matching/vps-reference.ts';
import { vpsArgument, vpsChoices } from '../../operations/choices/sources/vps.ts';
import { canViewVps } from '../../operations/define/access/access.ts';
import { textArgument } from '../../operations/define/arguments/argument.ts';
import { type Choice, maxChoicesAgeMs } from '../../operations/define/arguments/choice-source.ts';
import { defineLocal } from '../../operations/define/define-operation.ts';
import type { Operation, OperationContext } from '../../operations/define/operation.ts';
import type { VpsAliasStore } from './vps-alias-store.ts';

/** Maximum number of other VPS listed in a note because they have the same name. */
const maxNamed = 5;

const aliasSchema = z
  .string({ error: 'Give an alias' })
  .trim()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,59}$/u, {
    error: 'An alias has up to 60 letters, digits, dots, hyphens and underscores, such as web-01',
  })
  .refine((name) => !isVpsName(toVpsReference(toLookAlikeKey(name))), {
    error: "An alias can't look like a VPS name",
  });

const listStep = { label: 'List VPS', operation: 'list', input: {} };

/** Declares `alias` and `alias remove`, which set and remove the aliases of VPS. */
export function createAliasOperations(store: VpsAliasStore, now: () => number): readonly Operation[] {
  return [
    defineLocal({
      name: 'alias',
      heading: 'Set an alias',
      summary: 'Give a VPS an alias for your team',
      arguments: {
        vps: vpsArgument(),
        name: textArgument(
          {
            label: 'Alias',
            example: 'web-01',
            hint: 'Works in every command, for everyone in this workspace.',
          },
          aliasSchema,
        ),
      },
      button: 'Set Alias',
      right: 'operate',
      target: ({ vps }) => vps,
      async run(context, { vps, name }) {
        const shadowed = await findShadowed(context, vps, name);
        const owner = await store.set(context.actor, vps, name, now());
        if (owner !== undefined) throw createTakenError(name, await nameIfVisible(context, owner));
        return {
          title: `${name} is now an alias of ${vps}`,
          notes: describeShadowed(vps, shadowed),
          next: [{ label: 'Remove Alias', operation: 'alias remove', input: { vps } }, listStep],
        };
      },
    }),

    defineLocal({
      name: 'alias remove',
      heading: 'Remove an alias',
      summary: 'Remove the alias of a VPS',
      arguments: { vps: vpsArgument({ example: 'web-01' }) },
      button: 'Remove Alias',
      right: 'operate',
      target: ({ vps }) => vps,
      async run({ actor }, { vps }) {
        const removed = await store.remove(actor.teamId, vps);
        if (removed === undefined) throw new RackhandError('input_invalid', `${vps} has no alias.`);
        return {
          title: `Alias ${removed} was removed`,
          facts: [{ label: 'VPS', value: vps }],
          next: [{ label: 'Undo', operation: 'alias', input: { vps, name: removed } }, listStep],
        };
      },
    }),
  ];
}

function createTakenError(name: string, owner: string | undefined): RackhandError {
  const what = owner === undefined ? 'another VPS' : owner;
  return new RackhandError(
    'input_invalid',
    `"${name}" is already the alias of ${what}, or looks just like it. Remove that alias first.`,
  );
}

async function nameIfVisible({ loadAccess }: OperationContext, vps: string): Promise<string | undefined> {
  return canViewVps(await loadAccess(), vps) ? vps : undefined;
}

/**
 * Returns the labels of other VPS with this name at the service. Throws `not_permitted` if the actor can't
 * operate them, because anyone who types the name would then reach the VPS with the alias instead. Throws
 * `input_invalid` if another VPS has a name that only looks the same, because the two would be confused.
 */
async function findShadowed(
  { read, loadAccess }: OperationContext,
  vps: string,
  name: string,
): Promise<readonly string[]> {
  const checkAccess = await loadAccess();
  const findDenial = (vpsNames: readonly string[]) => checkAccess({ right: 'operate', vps: vpsNames });
  const list = await vpsChoices.load(read, {}, maxChoicesAgeMs).catch((error: unknown) => {
    if (!findDenial([])) return undefined;
    throw error;
  });
  const isOther = ({ value }: Choice) => value !== vps;
  const choices = list?.choices ?? [];
  const { choices: named } = matchChoices(name, choices);
  if (named.length === 0 && listLookAlikes(name, choices).some(isOther))
    throw new RackhandError(
      'input_invalid',
      `"${name}" looks just like the name of another VPS. Choose another alias.`,
    );
  const others = named.filter(isOther);
  const denial = others.length === 0 ? undefined : findDenial(others.map(({ value }) => value));
  if (!denial) return others.map(({ text }) => text);
  const message = `The service calls another VPS "${name}". To use this name as an alias, you need the right to operate that VPS too.`;
  // No button names the other VPS, because this person may not be allowed to see which one it is.
  throw new RackhandError('not_permitted', message);
}

/** Formats a note about other VPS with this name at the service, over which the team's alias takes precedence. */
function describeShadowed(vps: string, shadowed: readonly string[]): readonly string[] {
  if (shadowed.length === 0) return [];
  const names = shadowed.slice(0, maxNamed).join(', ');
  return [`The service calls ${names} by this name too. In Rackhand, the name now means ${vps}.`];
}
